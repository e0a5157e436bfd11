package rest

import (
	"context"
	"reflect"
	"slices"

	"milepost/internal/tracker"
)

// Shows gives the routes of an older version out of those of a newer one: where these answer with a
// From, alone or in a list, they answer with what show makes of it.
func Shows[From, To any](routes []Route, show func(From) To) []Route {
	out := slices.Clone(routes)
	for i := range out {
		switch r := &out[i]; r.answer.typ {
		case reflect.TypeFor[From]():
			r.answerWith(reflect.TypeFor[To](), func(answer any) any {
				shown := show(*answer.(*From))
				return &shown
			})
		case reflect.TypeFor[[]From]():
			r.answerWith(reflect.TypeFor[[]To](), func(answer any) any {
				list := *answer.(*[]From)
				shown := make([]To, len(list))
				for i, v := range list {
					shown[i] = show(v)
				}
				return &shown
			})
		}
	}
	return out
}

func (r *Route) answerWith(t reflect.Type, show func(any) any) {
	invoke := r.invoke
	r.answer = compileAnswer(t, false)
	r.invoke = func(ctx context.Context, by tracker.Actor, in reflect.Value) (any, error) {
		answer, err := invoke(ctx, by, in)
		if err != nil {
			return nil, err
		}
		return show(answer), nil
	}
}

// AnyColors gives the routes with color meaning anycolor wherever it stands in their requests and
// answers.
func AnyColors(routes []Route) []Route {
	out := slices.Clone(routes)
	for i := range out {
		r := &out[i]
		requests := newCompiler()
		requests.anyColors = true
		r.form = compileForm(requests, r.in)
		if r.bounded != "" {
			r.form.bound(r.bounded, r.most)
		}
		r.answer = compileAnswer(r.answer.typ, true)
	}
	return out
}
