package tracker

// Opt is a request value in one of three states: absent, null or a value.
// The zero Opt is absent.
type Opt[T any] struct {
	Value T
	State OptState
}

// OptState tells what a request said of a field.
type OptState uint8

// The three states.
const (
	Absent OptState = iota
	Null
	Given
)

// Some is an Opt with a value.
func Some[T any](v T) Opt[T] { return Opt[T]{Value: v, State: Given} }

// Get returns the value and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.Value, o.State == Given }

// Or returns the value, or def when there is none.
func (o Opt[T]) Or(def T) T {
	if o.State == Given {
		return o.Value
	}
	return def
}

// Ptr returns the value, or nil when there is none.
func (o Opt[T]) Ptr() *T {
	if o.State == Given {
		return &o.Value
	}
	return nil
}

// Apply sets dst when a value was given.
func (o Opt[T]) Apply(dst *T) {
	if o.State == Given {
		*dst = o.Value
	}
}

// ApplyPtr sets dst to the value, or to nil on null.
func (o Opt[T]) ApplyPtr(dst **T) {
	if o.State != Absent {
		*dst = o.Ptr()
	}
}
