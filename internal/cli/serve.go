package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"milepost/internal/api"
	"milepost/internal/httpd"
	"milepost/internal/service"
	"milepost/internal/tracker"
	"milepost/internal/webhook"
)

type serveCommand struct {
	where
	contents
	Listen            string        `help:"Address to listen on; ${default} by default." default:"127.0.0.1:8080" placeholder:"ADDR"`
	PublicURL         string        `help:"Base of every link in an answer; by default the listen address." placeholder:"URL"`
	MaxFileSize       int64         `help:"Largest file that can be uploaded, in MiB; ${default} by default." default:"50" placeholder:"N"`
	RateLimit         int           `help:"Requests a minute for each token; ${default} by default, 0 is no limit." default:"200" placeholder:"N"`
	SearchMaxPageSize int64         `help:"Most results on a page of a search, from 25 to 1000; ${default} by default." default:"25" placeholder:"N"`
	TLSCert           string        `help:"Certificate file; read again when it changes." placeholder:"FILE"`
	TLSKey            string        `help:"Key file of the certificate." placeholder:"FILE"`
	ACMEDomain        []string      `help:"Get certificates for this domain by ACME." placeholder:"DOMAIN"`
	ACMEEmail         string        `help:"Contact address for the ACME account." placeholder:"EMAIL"`
	ACMEAgree         bool          `help:"Agree to the terms of the ACME authority."`
	ACMEURL           string        `name:"acme-url" help:"Directory of another ACME authority." placeholder:"URL"`
	TrustedProxy      []string      `help:"Network of proxies whose X-Forwarded headers count." placeholder:"CIDR"`
	CORSOrigin        []string      `help:"Web origin that may call the API from a browser; * for all." placeholder:"ORIGIN"`
	WebhookAllow      []string      `help:"Private network that webhooks may be sent to." placeholder:"CIDR"`
	WebhookWait       time.Duration `name:"webhook-timeout" help:"How long a receiver of a webhook may take to answer; ${default} by default." default:"10s"`
	LeakSecret        string        `name:"leak-report-secret" help:"Secret that signs reports of published tokens to /api/hooks/leaked-tokens; off without it." placeholder:"SECRET"`
	MetricsListen     string        `help:"Address of a second listener for /metrics and /debug/pprof; off by default." placeholder:"ADDR"`
	DrainDelay        time.Duration `help:"How long to go on serving after /readyz turns, for balancers to notice." default:"0s"`
	ShutdownGrace     time.Duration `help:"How long requests in flight may take to finish." default:"30s"`
	LogFormat         string        `help:"text or json." enum:"text,json" default:"text"`
	LogLevel          slog.Level    `help:"debug, info, warn or error." default:"info"`
}

const (
	// usageEvery is how often the last-used times of tokens are saved.
	usageEvery = 10 * time.Second
	// followEvery is how often requests that wait learn of what other processes have done.
	followEvery = 250 * time.Millisecond
)

func (c serveCommand) Run(e env) error {
	proxies, err := c.check()
	if err != nil {
		return err
	}
	log := c.logger(e.err)
	slog.SetDefault(log)
	contents, err := c.openContents(e, c.where)
	if err != nil {
		return err
	}
	svc, done, err := c.openNew(e, service.Files{Contents: contents, MaxSize: c.MaxFileSize << 20})
	if err != nil {
		return err
	}
	defer done()

	server := &httpd.Server{
		Addr: c.Listen, MetricsAddr: c.MetricsListen, Log: log, DrainDelay: c.DrainDelay, Grace: c.ShutdownGrace,
	}
	metrics := c.metrics(e, log, svc)
	server.MetricsHandler = metrics.Handler()
	// The handler needs the public address, which the listener may have to tell first.
	var handler http.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })
	secure, err := c.secure(server)
	if err != nil {
		return err
	}
	defer secure.stop()
	if err := server.Listen(); err != nil {
		return err
	}
	public, err := c.publicURL(server)
	if err != nil {
		return err
	}
	webhooks, err := c.webhooks(log, svc, public, metrics)
	if err != nil {
		return err
	}
	handler, err = api.New(api.Config{
		Service: svc, PublicURL: public, Rule: httpd.Rule{TrustedProxies: proxies}, RateLimit: c.RateLimit, CORS: httpd.CORS{Origins: c.CORSOrigin},
		MaxPageSize: c.SearchMaxPageSize, Health: server.Health(svc.Store().Ready), Metrics: metrics, Webhooks: webhooks, Stopping: server.Stopping(),
		LeakSecret: c.LeakSecret, Log: log, Now: time.Now,
	})
	if err != nil {
		return usageError(err.Error())
	}
	token, err := svc.Bootstrap(e.ctx, operator(""))
	if err != nil {
		return err
	}
	if err := secure.start(e.ctx, server); err != nil {
		return err
	}
	greet(e.out, public, token)
	tuneMemory()
	// The last requests are used tokens too, so this ends after the server.
	ctx, stop := context.WithCancel(context.WithoutCancel(e.ctx))
	var background sync.WaitGroup
	background.Go(func() { housekeeping(ctx, log, svc) })
	background.Go(func() { follow(ctx, log, svc) })
	background.Go(func() { sweeping(e.ctx, log, svc) })
	defer background.Wait()
	defer stop()
	// No more deliveries are begun as soon as the server is told to end.
	deliveries, stopDeliveries := context.WithCancel(e.ctx)
	background.Go(func() { webhooks.Run(deliveries) })
	defer stopDeliveries()
	return server.Serve(e.ctx)
}

// tuneMemory gives back what the start needed, and lets garbage gather to twice the memory in
// use, which is small: a tenth of the work under load was collecting it. GOGC, where set, stands.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	debug.FreeOSMemory()
	forgetProgram()
}

// check finds what is wrong with the flags before anything is made.
func (c serveCommand) check() ([]netip.Prefix, error) {
	switch u, err := url.Parse(c.PublicURL); {
	case c.PublicURL == "":
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.User != nil, u.RawQuery != "", u.Fragment != "":
		return nil, usageError("--public-url must be an http:// or https:// address, with or without a path")
	}
	switch {
	case c.WebhookWait <= 0:
		return nil, usageError("--webhook-timeout must be positive")
	case c.MaxFileSize < 1 || c.MaxFileSize > maxFileSize:
		return nil, usageError(fmt.Sprintf("--max-file-size must be from 1 to %d", maxFileSize))
	case c.RateLimit < 0:
		return nil, usageError("--rate-limit must not be negative")
	case c.SearchMaxPageSize < 25 || c.SearchMaxPageSize > tracker.MaxResults:
		return nil, usageError("--search-max-page-size must be from 25 to 1000")
	case len(c.ACMEDomain) > 0 && c.TLSCert != "":
		return nil, usageError("--acme-domain and --tls-cert exclude each other")
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return nil, usageError("--tls-cert and --tls-key go together")
	}
	proxies, err := httpd.ParsePrefixes(c.TrustedProxy)
	if err != nil {
		return nil, usageError("--trusted-proxy: " + err.Error())
	}
	return proxies, nil
}

func (c serveCommand) webhooks(log *slog.Logger, svc *service.Service, public string, m *httpd.Metrics) (*webhook.Dispatcher, error) {
	allow, err := httpd.ParsePrefixes(c.WebhookAllow)
	if err != nil {
		return nil, usageError("--webhook-allow: " + err.Error())
	}
	return webhook.New(webhook.Config{
		Service: svc, Sender: webhook.NewSender(c.WebhookWait, allow, nil), PublicURL: public, Node: rand.Text(), Log: log, Now: time.Now,
	}, m.Registerer()), nil
}

func (c serveCommand) logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(httpd.Redact(slog.NewJSONHandler(w, options)))
	}
	return slog.New(httpd.Redact(slog.NewTextHandler(w, options)))
}

func (c serveCommand) metrics(e env, log *slog.Logger, svc *service.Service) *httpd.Metrics {
	m := httpd.NewMetrics(e.version, "", time.Now)
	for name, stats := range svc.Store().Pools() {
		m.AddPool(name, stats)
	}
	m.AddGauge("milepost_change_number", "Sum of the change numbers of all workspaces.", func() float64 {
		ctx, cancel := context.WithTimeout(e.ctx, 2*time.Second)
		defer cancel()
		n, err := svc.Store().ChangeTotal(ctx)
		if err != nil {
			log.Warn("the change number could not be read", "error", err)
		}
		return float64(n)
	})
	return m
}

// security is how the main listener gets its certificates.
type security struct {
	start func(context.Context, *httpd.Server) error
	stop  func()
}

func (c serveCommand) secure(server *httpd.Server) (security, error) {
	none := security{start: func(context.Context, *httpd.Server) error { return nil }, stop: func() {}}
	switch {
	case c.TLSCert != "":
		files, err := httpd.NewCertFiles(c.TLSCert, c.TLSKey, server.Log, time.Now)
		if err != nil {
			return none, err
		}
		server.TLS = files.TLSConfig()
	case len(c.ACMEDomain) > 0:
		acme, err := httpd.NewACME(httpd.ACMEConfig{
			Domains: c.ACMEDomain, Email: c.ACMEEmail, Directory: c.ACMEURL, Storage: filepath.Join(c.Data, "acme"),
			AgreeTerms: c.ACMEAgree, Log: server.Log,
		})
		if err != nil {
			return none, err
		}
		server.TLS = acme.TLSConfig()
		return security{
			start: func(ctx context.Context, s *httpd.Server) error { return acme.Start(ctx, s.ListenAddr()) },
			stop:  acme.Stop,
		}, nil
	}
	return none, nil
}

// publicURL is the base of links: what the operator says, or else where the server listens.
func (c serveCommand) publicURL(server *httpd.Server) (string, error) {
	if c.PublicURL != "" {
		return strings.TrimRight(c.PublicURL, "/"), nil
	}
	host, port, err := net.SplitHostPort(server.ListenAddr().String())
	if err != nil {
		return "", err
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "localhost" // who listens everywhere can be reached there, too
	}
	if len(c.ACMEDomain) > 0 {
		host = c.ACMEDomain[0]
	}
	address := net.JoinHostPort(host, port)
	if server.TLS == nil {
		return "http://" + address, nil
	}
	return "https://" + strings.TrimSuffix(address, ":443"), nil
}

func greet(out io.Writer, public, token string) {
	text := fmt.Sprintf("Milepost serves at %s\nDocumentation:     %s/docs\n", public, public)
	if token != "" {
		text += fmt.Sprintf("First token:       %s\nKeep it: it is shown only now.\n", token)
	}
	fmt.Fprint(out, text)
}

// housekeeping writes the last-used times of tokens down, every few seconds and once at the end, and
// forgets answers that are too old to be repeated.
func housekeeping(ctx context.Context, log *slog.Logger, svc *service.Service) {
	tick := time.NewTicker(usageEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		if err := svc.ForgetAnswers(context.WithoutCancel(ctx)); err != nil {
			log.Warn("kept answers could not be forgotten", "error", err)
		}
		if err := svc.SaveUsage(context.WithoutCancel(ctx)); err != nil {
			log.Warn("the last-used times of tokens could not be saved", "error", err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// follow tells requests that wait what other processes have done.
func follow(ctx context.Context, log *slog.Logger, svc *service.Service) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		err := svc.Follow(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			log.Warn("changes of other processes could not be looked for", "error", err)
		}
		failing = err != nil
	}
}
