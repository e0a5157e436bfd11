package httpd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

const redacted = "[redacted]"

// The first pattern is the form of our own tokens, with the underscore also as URLs and JSON may write it. The others
// catch foreign secrets in texts that we did not write, such as errors that quote an address or a header.
var (
	tokenForm    = regexp.MustCompile(`mp(?:_|%5[Ff]|\\u005[Ff])[0-9A-Za-z]{42}`)
	assignedForm = regexp.MustCompile(`(?i)((?:token|password|passwd|secret|signature|cookie|authorization)=)[^&\s"']+`)
	userinfoForm = regexp.MustCompile(`(://[^/\s:@]*:)[^/\s@]+@`)
	bearerForm   = regexp.MustCompile(`(?i)(bearer )[^\s"']+`)
	headerForm   = regexp.MustCompile(`(?i)((?:authorization|cookie|-token): )[^\r\n]+`)
	memberForm   = regexp.MustCompile(`(?i)((?:token|password|passwd|secret|cookie|authorization)\\?"\s*:\s*\\?")[^"\\]*`)
)

func redactText(s string) string {
	if strings.Contains(s, "mp") {
		s = tokenForm.ReplaceAllString(s, redacted)
	}
	if strings.Contains(s, "=") {
		s = assignedForm.ReplaceAllString(s, "${1}"+redacted)
	}
	if strings.Contains(s, "://") {
		s = userinfoForm.ReplaceAllString(s, "${1}"+redacted+"@")
	}
	if strings.Contains(s, "earer ") || strings.Contains(s, "EARER ") {
		s = bearerForm.ReplaceAllString(s, "${1}"+redacted)
	}
	if strings.Contains(s, ":") {
		s = headerForm.ReplaceAllString(s, "${1}"+redacted)
		s = memberForm.ReplaceAllString(s, "${1}"+redacted)
	}
	return s
}

// secretName reports whether whatever carries this name is a secret: the words themselves and names that end with
// them, such as Service-Token, set-cookie or client_secret.
func secretName(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), "s")
	for _, word := range []string{"token", "authorization", "cookie", "password", "passwd", "secret"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

// Redact wraps a log handler so that no secret passes it: not in messages, attributes of any kind, errors, groups or
// names. A value that can be neither shown as text nor as JSON is logged as the name of its type.
func Redact(h slog.Handler) slog.Handler {
	if r, ok := h.(*redactor); ok {
		return r
	}
	return &redactor{next: h}
}

type redactor struct {
	next slog.Handler
	// hide is set inside a group whose own name says that it holds secrets.
	hide bool
}

func (h *redactor) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

func (h *redactor) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, redactText(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(redactAttr(a, h.hide))
		return true
	})
	return h.next.Handle(ctx, clean)
}

func (h *redactor) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &redactor{next: h.next.WithAttrs(redactAttrs(attrs, h.hide)), hide: h.hide}
}

func (h *redactor) WithGroup(name string) slog.Handler {
	return &redactor{next: h.next.WithGroup(redactText(name)), hide: h.hide || secretName(name)}
}

func redactAttrs(attrs []slog.Attr, hide bool) []slog.Attr {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = redactAttr(a, hide)
	}
	return clean
}

func redactAttr(a slog.Attr, hide bool) slog.Attr {
	key := redactText(a.Key)
	if hide || secretName(a.Key) {
		return slog.String(key, redacted)
	}
	value := a.Value.Resolve()
	switch value.Kind() {
	case slog.KindString:
		value = slog.StringValue(redactText(value.String()))
	case slog.KindGroup:
		value = slog.GroupValue(redactAttrs(value.Group(), false)...)
	case slog.KindAny:
		value = redactAny(value.Any())
	}
	return slog.Attr{Key: key, Value: value}
}

func redactAny(v any) slog.Value {
	switch v := v.(type) {
	case nil:
		return slog.AnyValue(nil)
	case *slog.Source:
		return slog.AnyValue(v)
	case error:
		return slog.StringValue(redactText(v.Error()))
	case *http.Request:
		return slog.StringValue(redactText(v.Method + " " + v.URL.Path))
	case *url.URL:
		return slog.StringValue(redactText((&url.URL{Scheme: v.Scheme, Host: v.Host, Path: v.Path}).String()))
	case []byte:
		return slog.StringValue(redactText(string(v)))
	case json.Marshaler:
	case fmt.Stringer:
		return slog.StringValue(redactText(v.String()))
	}
	text, err := json.Marshal(v)
	if err != nil {
		return slog.StringValue(fmt.Sprintf("%T", v))
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return slog.StringValue(fmt.Sprintf("%T", v))
	}
	return slog.AnyValue(redactTree(tree))
}

func redactTree(tree any) any {
	switch tree := tree.(type) {
	case string:
		return redactText(tree)
	case []any:
		for i := range tree {
			tree[i] = redactTree(tree[i])
		}
		return tree
	case map[string]any:
		clean := make(map[string]any, len(tree))
		for name, value := range tree {
			if secretName(name) {
				clean[redactText(name)] = redacted
			} else {
				clean[redactText(name)] = redactTree(value)
			}
		}
		return clean
	}
	return tree
}
