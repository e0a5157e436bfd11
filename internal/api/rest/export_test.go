package rest

import (
	"net/http"
	"net/url"
	"reflect"
)

// NewDecoder compiles a params struct; the function it returns fills one from a body, or says what
// is wrong with that.
func NewDecoder(t reflect.Type) func(body []byte) (params any, err error) {
	f := compileForm(newCompiler(), t)
	r := &http.Request{URL: &url.URL{}}
	return func(body []byte) (any, error) {
		v := reflect.New(t).Elem()
		err := f.decode(r, body, v)
		return v.Interface(), err
	}
}

// NewAppender compiles an answer; the function it returns appends its wire form.
func NewAppender(t reflect.Type) func(b []byte, v any) []byte {
	s := compileAnswer(t, false)
	return func(b []byte, v any) []byte {
		place := reflect.New(t)
		place.Elem().Set(reflect.ValueOf(v))
		return s.appendAt(b, place.UnsafePointer())
	}
}
