package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"milepost/bench/load"
)

// client talks to a server: to prepare and check by call, to measure by source.
type client struct {
	*process
	token string
}

// call sends a request and returns the body of its answer, which must be 2xx.
func (c client) call(ctx context.Context, method, path, body string) ([]byte, error) {
	stream, err := c.open(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	return io.ReadAll(stream)
}

func (c client) open(ctx context.Context, method, path, body string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+c.address+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Service-Token", c.token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return nil, &refusal{answer.StatusCode, fmt.Sprintf("%s %s: %s: %s", method, path, answer.Status, text)}
	}
	return answer.Body, nil
}

type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// get decodes the answer of a GET.
func (c client) get(ctx context.Context, path string, into any) error {
	text, err := c.call(ctx, http.MethodGet, path, "")
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// send decodes the answer of a request with a body.
func (c client) send(ctx context.Context, method, path, body string, into any) error {
	text, err := c.call(ctx, method, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// source makes requests of the paths and bodies that fn gives.
func (c client) source(method string, fn func(worker, i int) (path, body string)) load.Source {
	header := " HTTP/1.1\r\nHost: " + c.address
	if c.token != "" {
		header += "\r\nService-Token: " + c.token
	}
	return load.Source{Append: func(buf []byte, worker, i int) []byte {
		path, body := fn(worker, i)
		buf = append(append(append(append(buf, method...), ' '), path...), header...)
		if body != "" {
			buf = append(buf, "\r\nContent-Type: application/json\r\nContent-Length: "...)
			buf = strconv.AppendInt(buf, int64(len(body)), 10)
		}
		return append(append(buf, "\r\n\r\n"...), body...)
	}}
}
