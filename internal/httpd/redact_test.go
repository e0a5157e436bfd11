package httpd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const (
	testToken  = "mp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"
	testSecret = "hunter2hunter2"
)

type valuer struct{}

func (valuer) LogValue() slog.Value {
	return slog.GroupValue(slog.String("inner", testToken), slog.String("password", testSecret))
}

type stringer struct{}

func (stringer) String() string { return "it is " + testToken }

type account struct {
	Name, Password string
	Keys           []string
}

// handlers are the two that an operator can choose from.
var handlers = map[string]func(io.Writer) slog.Handler{
	"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
	"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
}

func TestRedact(t *testing.T) {
	t.Parallel()
	address, err := url.Parse("https://user:" + testSecret + "@a.example/p?token=" + testToken)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Service-Token": {testToken}, "Cookie": {"sid=" + testSecret}, "Accept": {"visible"}}
	for _, row := range []struct {
		name string
		log  func(*slog.Logger)
	}{
		{"message", func(l *slog.Logger) { l.Info("visible: got " + testToken) }},
		{"message with a query", func(l *slog.Logger) { l.Info("visible: GET /x?a=b&token=" + testSecret + "&c=d") }},
		{"message with a header", func(l *slog.Logger) { l.Info("visible: Authorization: Basic " + testSecret) }},
		{"message with a cookie header", func(l *slog.Logger) { l.Info("visible: Cookie: a=b; sid=" + testSecret) }},
		{"message with a bearer", func(l *slog.Logger) { l.Info("visible: bearer " + testSecret) }},
		{"message with JSON", func(l *slog.Logger) { l.Info(`visible: {"password": "` + testSecret + `"}`) }},
		{"message with an address", func(l *slog.Logger) { l.Info("visible: postgres://me:" + testSecret + "@db/x") }},
		{"two tokens side by side", func(l *slog.Logger) { l.Info("visible" + testToken + testToken) }},
		{"escaped in a URL", func(l *slog.Logger) { l.Info("visible", "u", strings.Replace(testToken, "_", "%5F", 1)) }},
		{"string", func(l *slog.Logger) { l.Info("visible", "note", "<"+testToken+">") }},
		{"missing key", func(l *slog.Logger) { l.Info("visible", []any{testToken}...) }},
		{"as a key", func(l *slog.Logger) { l.Info("visible", testToken, 1) }},
		{"named token", func(l *slog.Logger) { l.Info("visible", "token", testSecret) }},
		{"named Authorization", func(l *slog.Logger) { l.Info("visible", "Authorization", testSecret) }},
		{"named Set-Cookie", func(l *slog.Logger) { l.Info("visible", "Set-Cookie", testSecret) }},
		{"named PASSWORD", func(l *slog.Logger) { l.Info("visible", "PASSWORD", testSecret) }},
		{"named client_secret", func(l *slog.Logger) { l.Info("visible", "client_secret", testSecret) }},
		{"named Clubhouse-Token", func(l *slog.Logger) { l.Info("visible", "Clubhouse-Token", testSecret) }},
		{"named tokens", func(l *slog.Logger) { l.Info("visible", "tokens", []string{testSecret}) }},
		{"error", func(l *slog.Logger) { l.Info("visible", "error", errors.New("bad "+testToken)) }},
		{"wrapped error", func(l *slog.Logger) {
			l.Info("visible", "error", fmt.Errorf("lookup: %w", &url.Error{Op: "Get", URL: address.String(), Err: io.EOF}))
		}},
		{"stringer", func(l *slog.Logger) { l.Info("visible", "it", stringer{}) }},
		{"bytes", func(l *slog.Logger) { l.Info("visible", "body", []byte(testToken)) }},
		{"header map", func(l *slog.Logger) { l.Info("-", "header", header) }},
		{"URL", func(l *slog.Logger) { l.Info("visible", "url", address) }},
		{"request", func(l *slog.Logger) {
			l.Info("visible", "request", &http.Request{Method: "GET", URL: address, Header: header})
		}},
		{"struct", func(l *slog.Logger) {
			l.Info("-", "account", account{"visible", testSecret, []string{testToken}})
		}},
		{"pointer in a map", func(l *slog.Logger) {
			l.Info("-", "m", map[string]any{testToken: &account{"visible", testSecret, nil}})
		}},
		{"not encodable", func(l *slog.Logger) {
			l.Info("visible", "f", struct {
				C chan int
				S string
			}{nil, testToken})
		}},
		{"log valuer", func(l *slog.Logger) { l.Info("visible", "v", valuer{}) }},
		{"group", func(l *slog.Logger) {
			l.Info("visible", slog.Group("g", slog.Group("h", "x", testToken, "secret", testSecret)))
		}},
		{"group named secret", func(l *slog.Logger) { l.Info("visible", slog.Group("secret", "x", testSecret)) }},
		{"With", func(l *slog.Logger) { l.With("x", testToken, "cookie", testSecret).Info("visible") }},
		{"WithGroup", func(l *slog.Logger) { l.WithGroup("g").With("x", testToken).Info("visible", "y", testToken) }},
		{"WithGroup named token", func(l *slog.Logger) {
			l.WithGroup("token").With("x", testSecret).Info("visible", slog.Group("g", "y", testSecret))
		}},
		{"group name is a token", func(l *slog.Logger) { l.WithGroup(testToken).Info("visible", "y", 1) }},
	} {
		for kind, handler := range handlers {
			t.Run(row.name+" "+kind, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				row.log(slog.New(Redact(handler(&out))))
				for _, secret := range []string{testToken[3:], testSecret} {
					if strings.Contains(out.String(), secret) {
						t.Errorf("a secret got out: %s", &out)
					}
				}
				if !strings.Contains(out.String(), "visible") {
					t.Errorf("what is no secret is gone: %s", &out)
				}
			})
		}
	}
}

func TestRedactLeavesTheRest(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(Redact(slog.NewJSONHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})))
	log.With("mp_short", "mp_tooshort").WithGroup("g").Warn("compare a=b: c://d", "n", 7, "ok", true,
		"big", []int64{1 << 60}, "err", io.EOF, "token_id", 3, "nil", nil)
	want := `{"level":"WARN","msg":"compare a=b: c://d","mp_short":"mp_tooshort",` +
		`"g":{"n":7,"ok":true,"big":[1152921504606846976],"err":"EOF","token_id":3,"nil":null}}` + "\n"
	if out.String() != want {
		t.Errorf("got  %swant %s", &out, want)
	}
}

func TestRedactOnce(t *testing.T) {
	t.Parallel()
	h := Redact(slog.DiscardHandler)
	if Redact(h) != h {
		t.Error("Redact wrapped its own handler again")
	}
	quiet := Redact(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError}))
	if quiet.Enabled(t.Context(), slog.LevelWarn) || !quiet.Enabled(t.Context(), slog.LevelError) {
		t.Error("Redact does not keep the handler's level")
	}
}
