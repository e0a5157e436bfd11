package httpd

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestACMERefuses(t *testing.T) {
	t.Parallel()
	good := ACMEConfig{Domains: []string{"tracker.example.com"}, Storage: t.TempDir(), AgreeTerms: true}
	for _, row := range []struct {
		name, says string
		change     func(*ACMEConfig)
	}{
		{"no domain", "at least one domain", func(c *ACMEConfig) { c.Domains = nil }},
		{"empty domain", `""`, func(c *ACMEConfig) { c.Domains = []string{"tracker.example.com", " "} }},
		{"wildcard", "*.example.com", func(c *ACMEConfig) { c.Domains = []string{"*.example.com"} }},
		{"address with a port", "a.example:443", func(c *ACMEConfig) { c.Domains = []string{"a.example:443"} }},
		{"URL", "https://a.example", func(c *ACMEConfig) { c.Domains = []string{"https://a.example"} }},
		{"no storage", "directory", func(c *ACMEConfig) { c.Storage = "" }},
		{"no agreement", "agreement", func(c *ACMEConfig) { c.AgreeTerms = false }},
	} {
		config := good
		row.change(&config)
		if _, err := NewACME(config); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want an error that says %q", row.name, err, row.says)
		}
	}
}

func TestACMEDefaults(t *testing.T) {
	t.Parallel()
	a, err := NewACME(ACMEConfig{Domains: []string{" Tracker.Example.com "}, Email: "me@example.com", Storage: t.TempDir(), AgreeTerms: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Stop()
	if !strings.Contains(a.issuer.CA, "letsencrypt.org") || a.issuer.Email != "me@example.com" || a.domains[0] != "tracker.example.com" {
		t.Errorf("authority %s, email %s, domains %v", a.issuer.CA, a.issuer.Email, a.domains)
	}
	if !a.issuer.DisableHTTPChallenge {
		t.Error("port 80 would be opened for the HTTP challenge")
	}
	if err := a.Start(t.Context(), pipeAddr{}); err == nil {
		t.Error("a listener without a port was accepted")
	}
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "unix" }
func (pipeAddr) String() string  { return "/run/milepost.sock" }

// The whole way: our server without a certificate, an authority that checks the challenge through the server's own
// listener, and a client that then trusts what it is shown.
func TestACMEObtainsACertificate(t *testing.T) {
	t.Parallel()
	const domain = "tracker.example.com"
	authority := newAuthority(t)
	storage := t.TempDir()
	logged := make(chan string, 8)
	roots := x509.NewCertPool()
	roots.AddCert(authority.server.Certificate())
	a, err := NewACME(ACMEConfig{
		Domains: []string{domain}, Storage: storage, AgreeTerms: true,
		Directory: authority.server.URL + "/directory", Roots: roots,
		Log: slog.New(messages(func(message string) { logged <- message })),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Stop()
	r := start(t, &Server{TLS: a.TLSConfig(), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	})})
	authority.validateAt(r.ListenAddr().String())
	if err := a.Start(t.Context(), r.ListenAddr()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a certificate was obtained", "a certificate is in service"} {
		if got := <-logged; got != want {
			t.Fatalf("the log says %q, want %q", got, want)
		}
	}

	trusted := x509.NewCertPool()
	trusted.AddCert(authority.certificate)
	r.client.Transport = &http.Transport{
		ForceAttemptHTTP2: true, DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: domain},
	}
	if status, body, err := r.get("/"); status != http.StatusOK || body != "HTTP/2.0" {
		t.Errorf("got %d %s %v, want HTTP/2 with the new certificate", status, body, err)
	}
	r.cancel()
	if err := <-r.ended; err != nil {
		t.Error(err)
	}

	found := ""
	_ = filepath.WalkDir(storage, func(path string, _ fs.DirEntry, _ error) error {
		if strings.HasSuffix(path, domain+".crt") {
			found = path
		}
		return nil
	})
	if found == "" {
		t.Error("the certificate is not in the storage directory")
	}
}

// messages is a log handler that passes on what is said.
type messages func(string)

func (m messages) Enabled(context.Context, slog.Level) bool { return true }
func (m messages) Handle(_ context.Context, r slog.Record) error {
	m(r.Message)
	return nil
}
func (m messages) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m messages) WithGroup(string) slog.Handler      { return m }
