package tracker

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// KeyResult measures how near a milestone has come to its goal.
type KeyResult struct {
	ID          UUID
	MilestoneID int64
	Name        string
	Type        KeyResultType
	Initial     string // values are decimals or true and false, by the type
	Observed    string
	Target      string
	Position    int64
	CreatedAt   Time
	UpdatedAt   Time
}

// KeyResultType says what the values of a key result are.
type KeyResultType string

// The types of key results.
const (
	NumericResult KeyResultType = "numeric"
	PercentResult KeyResultType = "percent"
	BooleanResult KeyResultType = "boolean"
)

// KeyResultValue is a value in the form in which requests give it: exactly one of the two.
type KeyResultValue struct {
	Numeric Opt[string]
	Boolean Opt[bool]
}

// KeyResultParams is what a key result is created with; it is observed where it starts unless
// said otherwise.
type KeyResultParams struct {
	Name     string
	Type     KeyResultType
	Initial  KeyResultValue
	Target   KeyResultValue
	Observed Opt[KeyResultValue]
}

// KeyResultChange is what can be changed of a key result.
type KeyResultChange struct {
	Name     Opt[string]
	Initial  Opt[KeyResultValue]
	Observed Opt[KeyResultValue]
	Target   Opt[KeyResultValue]
}

// DecimalPattern is the form of numeric values: at most two decimals, and few enough digits to
// count hundredths exactly.
const DecimalPattern = `^-?[0-9]{1,13}(\.[0-9]{1,2})?$`

var decimalForm = regexp.MustCompile(DecimalPattern)

// text is the stored form of a value that fits the type; field names it when it does not.
func (t KeyResultType) text(field string, v KeyResultValue) (string, error) {
	number, numeric := v.Numeric.Get()
	truth, boolean := v.Boolean.Get()
	switch {
	case t == BooleanResult && boolean && !numeric:
		return strconv.FormatBool(truth), nil
	case t == BooleanResult:
		return "", Impossible(field, "must hold boolean_value alone, since the key result is of type boolean")
	case !numeric || boolean:
		return "", Impossible(field, "must hold numeric_value alone, since the key result is of type %s", t)
	case !decimalForm.MatchString(number):
		return "", Impossible(field, "must be a decimal number with at most 13 digits and 2 decimals")
	default:
		return number, nil
	}
}

// Apply makes the changes that ch asks for; it fails when a value does not fit the type.
func (k *KeyResult) Apply(ch KeyResultChange) (err error) {
	ch.Name.Apply(&k.Name)
	for _, c := range []struct {
		field string
		value Opt[KeyResultValue]
		at    *string
	}{
		{"initial_observed_value", ch.Initial, &k.Initial}, {"observed_value", ch.Observed, &k.Observed}, {"target_value", ch.Target, &k.Target},
	} {
		if v, ok := c.value.Get(); ok {
			if *c.at, err = k.Type.text(c.field, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Progress is how much of the way from the initial value to the target is behind, in percent.
func (k KeyResult) Progress() int64 {
	if k.Observed == k.Target {
		return 100
	}
	if k.Type == BooleanResult {
		return 0
	}
	initial, observed, target := hundredths(k.Initial), hundredths(k.Observed), hundredths(k.Target)
	switch {
	case observed == target:
		return 100
	case initial == target: // no way to go, and yet not there
		return 0
	}
	return int64(min(max(math.Round(100*float64(observed-initial)/float64(target-initial)), 0), 100))
}

// hundredths reads a decimal that has the form of DecimalPattern.
func hundredths(decimal string) int64 {
	whole, fraction, _ := strings.Cut(decimal, ".")
	n, _ := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64) // the pattern allows digits only
	return n
}

// Touch moves the time of the last update.
func (k *KeyResult) Touch(now Time) { k.UpdatedAt = now }

func (k KeyResult) EntityType() string { return "key-result" }
func (k KeyResult) EntityID() string   { return string(k.ID) }

func (k KeyResult) Fields() []Field {
	return []Field{
		{"objective_id", k.MilestoneID}, {"name", k.Name}, {"type", k.Type}, {"initial_observed_value", k.Initial},
		{"current_observed_value", k.Observed}, {"current_target_value", k.Target}, {"position", k.Position},
	}
}
