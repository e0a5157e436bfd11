// Package api mounts the versions of the API and does what is the same for all of them: the
// HTTPS rule, the token, the rate limit.
package api

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"milepost/internal/api/app"
	"milepost/internal/api/beta"
	"milepost/internal/api/hooks"
	"milepost/internal/api/rest"
	"milepost/internal/api/v1"
	"milepost/internal/api/v2"
	"milepost/internal/api/v3"
	"milepost/internal/httpd"
	"milepost/internal/service"
	"milepost/internal/tracker"
	"milepost/internal/webhook"
)

// Config is what the API is made of.
type Config struct {
	Service   *service.Service
	PublicURL string
	Rule      httpd.Rule
	RateLimit int // requests a minute for each token; 0 is no limit
	CORS      httpd.CORS
	// MaxPageSize is how many results a page of a search can have; at least 25.
	MaxPageSize int64
	Health      http.Handler
	Metrics     *httpd.Metrics
	Webhooks    *webhook.Dispatcher
	Stopping    <-chan struct{} // closed when requests that wait are to end
	Heartbeat   time.Duration   // between two signs of life of an event stream; 0 is 15 seconds
	// LeakSecret signs reports of published tokens; without it there is nowhere to report them.
	LeakSecret string
	Log        *slog.Logger
	Now        func() time.Time
}

// failedLogins is how many requests a minute may come from one address without a valid token.
const failedLogins = 300

// Versions lists the versions of the API with their route tables.
func Versions(c Config) []rest.API {
	base := v3.API{Service: c.Service, PublicURL: c.PublicURL, MaxPageSize: max(c.MaxPageSize, v3.DefaultPageSize)}
	live := app.API{API: base, Webhooks: c.Webhooks, Stopping: c.Stopping, Heartbeat: cmp.Or(c.Heartbeat, 15*time.Second)}
	return rest.Publish(c.PublicURL, []rest.API{
		{Version: "v3", Title: "Milepost API v3", Routes: base.Routes()},
		{Version: "v2", Title: "Milepost API v2", Routes: v2.API{API: base}.Routes(), Deprecated: true},
		{Version: "v1", Title: "Milepost API v1", Routes: v1.API{API: base}.Routes(), Deprecated: true},
		{Version: "beta", Title: "Milepost API beta", Routes: beta.API{API: base}.Routes(), Deprecated: true},
		{Version: "app", Title: "Milepost application API", Routes: live.Routes()},
	})
}

type server struct {
	Config
	router   *rest.Router
	hooks    *rest.Router
	tokens   *httpd.Limiter
	failures *httpd.Limiter
}

// New is the handler of everything that Milepost serves.
func New(c Config) (http.Handler, error) {
	cors, err := c.CORS.Middleware()
	if err != nil {
		return nil, err
	}
	versions := Versions(c)
	s := &server{Config: c, router: rest.NewRouter(c.Service, versions...)}
	incoming := hooks.New(hooks.Config{
		Service: c.Service, PublicURL: c.PublicURL, LeakSecret: c.LeakSecret, ClientAddr: s.clientAddr, Refuse: s.refuse,
	})
	s.hooks = rest.NewRouter(nil, rest.API{Version: "hooks", Routes: incoming.Routes()})
	s.tokens = httpd.NewLimiter("default", c.RateLimit, time.Minute, c.Now)
	s.failures = httpd.NewLimiter("unauthorized", min(failedLogins, c.RateLimit*failedLogins), time.Minute, c.Now)

	documents := map[string]bool{} // need no token
	for _, v := range versions {
		documents[v.DocumentPath()] = true
	}
	mux := http.NewServeMux()
	if err := handleDocs(mux, versions); err != nil {
		return nil, err
	}
	mux.Handle("/", http.HandlerFunc(rest.NotFound))
	secure := s.onlySecure(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch {
		case reads && documents[r.URL.Path], isPreflight(r):
			s.router.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/api/hooks/"):
			s.hooks.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path+"/", "/api/"): // not by the mux: it redirects from // and .. before the token is judged
			s.serveAPI(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	all := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
			c.Health.ServeHTTP(w, r)
			return
		}
		secure.ServeHTTP(w, r)
	})
	return httpd.Chain(all, httpd.RequestIDs(newRequestID), c.Metrics.Middleware, httpd.AccessLog(c.Log, c.Rule, c.Now),
		httpd.SecurityHeaders(c.Rule), httpd.Recover(c.Log, rest.WritePanic), cors), nil
}

// isPreflight tells the question of a browser, which it sends without the token. CORS answers it
// where it is on; here it is just a method that is not served.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

func newRequestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

// onlySecure refuses plain HTTP from anywhere but this machine.
func (s *server) onlySecure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.Rule.Secure(r) {
			rest.WriteError(w, r, &tracker.Error{Code: tracker.Forbidden, Tag: "https_required",
				Message: "Requests must be made over HTTPS."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveAPI judges the token and the rate before it looks at the path.
func (s *server) serveAPI(w http.ResponseWriter, r *http.Request) {
	address := s.clientAddr(r)
	by, holder, err := s.authenticate(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	by.RequestID, by.Address = httpd.RequestID(r.Context()), address
	note := httpd.Note(r.Context())
	note.Workspace, note.Member = by.Slug, string(by.Member)

	decision := s.tokens.Allow(holder)
	decision.WriteHeaders(w.Header())
	if !decision.Allowed {
		rest.WriteError(w, r, tooMany)
		return
	}
	s.router.ServeHTTP(w, r.WithContext(rest.WithActor(r.Context(), by)))
}

// authenticate tells who is asking, and by what the rate of requests is counted: the token, or the
// signature of a link that is used in its place.
func (s *server) authenticate(r *http.Request) (by tracker.Actor, holder string, err error) {
	token := tokenOf(r)
	link, signed := app.LinkOf(r.URL.Query())
	if token == "" && signed && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		by, err = s.Service.OpenLink(r.Context(), r.URL.EscapedPath(), link)
		return by, link.Signature, err
	}
	by, err = s.Service.Authenticate(r.Context(), token)
	return by, string(by.Token), err
}

var tooMany = &tracker.Error{Code: tracker.RateLimited, Tag: "rate_limited", Message: "Too many requests; wait as long as Retry-After says."}

func (s *server) clientAddr(r *http.Request) string { return s.Rule.ClientAddr(r).String() }

// refuse answers a request without a valid token or signature; an address that keeps guessing is told to wait.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var e *tracker.Error
	if errors.As(err, &e) && e.Code == tracker.Unauthorized {
		if d := s.failures.Allow(s.clientAddr(r)); !d.Allowed {
			d.WriteHeaders(w.Header())
			err = tooMany
		}
	}
	rest.WriteError(w, r, err)
}

// tokenHeaders carry a token, the newest name first.
var tokenHeaders = []string{"Service-Token", "Shortcut-Token", "Clubhouse-Token"}

// tokenOf finds the request's token; a header beats the query parameter.
func tokenOf(r *http.Request) string {
	for _, name := range tokenHeaders {
		if t := r.Header.Get(name); t != "" {
			return t
		}
	}
	if scheme, t, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "bearer") {
		return strings.TrimSpace(t)
	}
	return r.URL.Query().Get("token")
}
