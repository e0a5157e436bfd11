package testkit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"milepost/internal/api"
	"milepost/internal/blob"
	"milepost/internal/httpd"
	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/tracker"
	"milepost/internal/webhook"
)

// Start is the moment at which the clock of a test server stands at first.
var Start = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the time on the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Server is a running Milepost with one workspace.
type Server struct {
	URL      string
	Service  *service.Service
	Store    *store.Store
	Clock    *Clock
	Log      *SafeBuffer         // everything logged
	Files    string              // the directory of the contents of files
	Webhooks *webhook.Dispatcher // may reach this machine alone; tests call its Round
	Owner    *Client             // of the first workspace, whose slug is "first"
}

// Config changes how a test server is started.
type Config func(*api.Config)

// WithRateLimit sets the limit, which tests are free of otherwise.
func WithRateLimit(n int) Config { return func(c *api.Config) { c.RateLimit = n } }

// MaxFile is how many bytes a file may have on a test server.
const MaxFile = 1 << 20

// New starts a server on the database at the address and stops it with the test.
func New(t *testing.T, address string, options ...Config) *Server {
	t.Helper()
	s := NewNode(t, address, options...)
	s.Owner = s.NewWorkspace(t, "first")
	return s
}

// NewNode is New on a database that another server has made a workspace in.
func NewNode(t *testing.T, address string, options ...Config) *Server {
	t.Helper()
	st, err := store.Open(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	clock := &Clock{now: Start}
	s := &Server{Store: st, Clock: clock, Log: &SafeBuffer{}, Files: filepath.Join(t.TempDir(), "files")}
	contents, err := blob.Open(t.Context(), s.Files)
	if err != nil {
		t.Fatal(err)
	}
	s.Service = service.New(st, clock.Now, service.Files{Contents: contents, MaxSize: MaxFile})
	log := slog.New(httpd.Redact(slog.NewTextHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	web := httptest.NewUnstartedServer(nil)
	s.URL = "http://" + web.Listener.Addr().String()
	s.Webhooks = s.NewDispatcher("first node", NewSender("127.0.0.0/8"))
	config := api.Config{
		Service: s.Service, Webhooks: s.Webhooks, PublicURL: s.URL, Log: log, Now: clock.Now, Metrics: httpd.NewMetrics("test", "", clock.Now),
		Health: (&httpd.Server{Log: log}).Health(st.Ready),
	}
	for _, o := range options {
		o(&config)
	}
	if web.Config.Handler, err = api.New(config); err != nil {
		t.Fatal(err)
	}
	web.Start()
	t.Cleanup(func() {
		web.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// NewSender makes a sender that may reach the private networks and knows no names but those of this
// machine.
func NewSender(allow ...string) *webhook.Sender {
	prefixes := make([]netip.Prefix, len(allow))
	for i, text := range allow {
		prefixes[i] = netip.MustParsePrefix(text)
	}
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("tests ask nobody for names")
	}}
	return webhook.NewSender(10*time.Second, prefixes, resolver)
}

// NewDispatcher makes one that delivers as the node.
func (s *Server) NewDispatcher(node string, sender *webhook.Sender) *webhook.Dispatcher {
	return webhook.New(webhook.Config{
		Service: s.Service, Sender: sender, PublicURL: s.URL, Node: node,
		Log: slog.New(slog.NewTextHandler(s.Log, nil)), Now: s.Clock.Now,
	}, prometheus.NewRegistry())
}

// NewWorkspace makes another workspace and returns a client of its owner.
func (s *Server) NewWorkspace(t *testing.T, slug string) *Client {
	t.Helper()
	ws, owner, err := s.Service.CreateWorkspace(context.Background(), Operator(""), service.NewWorkspace{
		Name: "Workspace " + slug, Slug: slug, OwnerName: "Olivia Owner", OwnerEmail: "olivia@" + slug + ".example", OwnerMention: "olivia",
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.client(t, ws.ID, owner)
}

// NewMember adds a member with the role to the client's workspace and returns a client of theirs.
func (s *Server) NewMember(t *testing.T, of *Client, mention string, role tracker.Role) *Client {
	t.Helper()
	m, err := s.Service.AddMember(context.Background(), Operator(of.Workspace), tracker.MemberParams{
		Name: mention, Email: mention + "@" + string(of.Workspace) + ".example", MentionName: mention, Role: role,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.client(t, of.Workspace, m)
}

// NewToken makes another token of the client's member.
func (s *Server) NewToken(t *testing.T, of *Client) string {
	t.Helper()
	return s.client(t, of.Workspace, of.Member).Token
}

func (s *Server) client(t *testing.T, workspace tracker.UUID, m tracker.Member) *Client {
	t.Helper()
	_, token, err := s.Service.CreateToken(context.Background(), Operator(workspace), m.ID, service.NewToken{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return &Client{URL: s.URL, Token: token, Workspace: workspace, Member: m}
}

// Operator is the actor of the command line.
func Operator(workspace tracker.UUID) tracker.Actor {
	return tracker.Actor{Workspace: workspace, Name: "operator", Role: tracker.Owner, Via: "cli"}
}

// Changes reads the change log of the workspace after the given number.
func (s *Server) Changes(t *testing.T, workspace tracker.UUID, after int64) []tracker.Change {
	t.Helper()
	var out []tracker.Change
	err := s.Store.Read(context.Background(), workspace, func(tx *store.Tx) (err error) {
		out, err = tx.Changes(after, 1_000_000)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TrustEverybody makes every peer a trusted proxy, for tests that speak as one.
func TrustEverybody(c *api.Config) {
	c.Rule.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}
}

// SafeBuffer is a buffer that several goroutines may write to.
type SafeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *SafeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *SafeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

var _ io.Writer = (*SafeBuffer)(nil)
