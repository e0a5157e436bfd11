package httpd

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server listens, serves and comes to an orderly end. Set the fields, then call Listen and Serve, once each.
type Server struct {
	Addr    string
	Handler http.Handler
	// TLS, when set, makes the main listener speak TLS only.
	TLS *tls.Config
	// MetricsAddr, when set, is a second, plain listener for MetricsHandler.
	MetricsAddr    string
	MetricsHandler http.Handler
	// Log must be set, before Health is called.
	Log *slog.Logger

	// ReadTimeout and WriteTimeout bound a whole request and its answer; uploads and event streams, which take longer,
	// call ExtendDeadlines. Zero stands for a default here and below.
	ReadTimeout, WriteTimeout, IdleTimeout time.Duration
	// DrainDelay is how long the server goes on after /readyz has turned, for balancers to notice; its default is none.
	DrainDelay time.Duration
	// Grace is how long requests in flight may take to finish.
	Grace time.Duration
	// After is time.After unless a test sets it.
	After func(time.Duration) <-chan time.Time

	once               sync.Once
	draining, stopping chan struct{}
	main, metrics      net.Listener
}

const (
	readHeaderTimeout = 10 * time.Second
	maxHeaderBytes    = 64 << 10
	// profileTimeout leaves room for a profile of a minute.
	profileTimeout = 2 * time.Minute
)

func (s *Server) init() {
	s.once.Do(func() {
		s.draining, s.stopping = make(chan struct{}), make(chan struct{})
	})
}

// Listen opens the listeners, so that their addresses are known and a taken port is told before anything else starts.
func (s *Server) Listen() error {
	s.init()
	if s.Handler == nil || (s.MetricsAddr != "" && s.MetricsHandler == nil) {
		// net/http would serve its global mux, with whatever any package has put there.
		return errors.New("a listener has no handler to serve")
	}
	var err error
	if s.main, err = net.Listen("tcp", s.Addr); err != nil {
		return fmt.Errorf("the server cannot listen on %s: %w", s.Addr, err)
	}
	if s.MetricsAddr == "" {
		return nil
	}
	if s.metrics, err = net.Listen("tcp", s.MetricsAddr); err != nil {
		s.main.Close()
		return fmt.Errorf("the server cannot listen on %s for metrics: %w", s.MetricsAddr, err)
	}
	return nil
}

// ListenAddr is where the main listener really is, after Listen.
func (s *Server) ListenAddr() net.Addr { return s.main.Addr() }

// MetricsListenAddr is where metrics are served, after Listen; nil when they are not.
func (s *Server) MetricsListenAddr() net.Addr {
	if s.metrics == nil {
		return nil
	}
	return s.metrics.Addr()
}

// Draining reports whether the server has been told to end.
func (s *Server) Draining() bool {
	s.init()
	select {
	case <-s.draining:
		return true
	default:
		return false
	}
}

// Stopping is closed when the server stops accepting. Handlers that would wait for long (streams, long polls) watch it
// and end, or they would use up the grace period.
func (s *Server) Stopping() <-chan struct{} {
	s.init()
	return s.stopping
}

// Serve serves until ctx ends, then drains: /readyz turns, DrainDelay passes, no more connections are accepted, requests
// in flight have Grace to finish, and what remains is cut off. It returns nil after an end without cuts.
func (s *Server) Serve(ctx context.Context) error {
	if s.main == nil {
		return errors.New("the server does not listen yet")
	}
	base, cancelRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelRequests()

	failed := make(chan error, 2)
	main := s.httpServer(base, s.Handler)
	main.TLSConfig = s.TLS
	go func() {
		if s.TLS != nil {
			failed <- main.ServeTLS(s.main, "", "")
		} else {
			failed <- main.Serve(s.main)
		}
	}()
	defer main.Close()
	if s.metrics != nil {
		metrics := s.httpServer(base, s.MetricsHandler)
		metrics.WriteTimeout = profileTimeout
		go func() { failed <- metrics.Serve(s.metrics) }()
		defer metrics.Close()
	}

	select {
	case err := <-failed:
		close(s.draining)
		close(s.stopping)
		return fmt.Errorf("a listener failed: %w", err)
	case <-ctx.Done():
	}
	close(s.draining)
	s.Log.Info("the server is shutting down")
	if s.DrainDelay > 0 {
		<-s.after(s.DrainDelay)
	}
	close(s.stopping)
	return s.finish(main)
}

func (s *Server) finish(main *http.Server) error {
	ctx, expire := context.WithCancel(context.Background())
	defer expire()
	go func() {
		select {
		case <-s.after(cmp.Or(s.Grace, 30*time.Second)):
			expire()
		case <-ctx.Done():
		}
	}()
	switch err := main.Shutdown(ctx); {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return errors.New("requests in flight did not finish within the grace period and were cut off")
	default:
		return fmt.Errorf("the server did not shut down in order: %w", err)
	}
}

// httpServer gives requests a context that outlives the order to end, so that the ones in flight can finish.
func (s *Server) httpServer(base context.Context, h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       cmp.Or(s.ReadTimeout, time.Minute),
		WriteTimeout:      cmp.Or(s.WriteTimeout, 2*time.Minute),
		IdleTimeout:       cmp.Or(s.IdleTimeout, 2*time.Minute),
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(Redact(s.Log.Handler()), slog.LevelWarn),
	}
}

func (s *Server) after(d time.Duration) <-chan time.Time {
	if s.After != nil {
		return s.After(d)
	}
	return time.After(d)
}

// ExtendDeadlines moves both deadlines of the request being served; the zero time removes them. A stream removes them or
// moves them with each heartbeat: a read deadline that passes after the body has ended cancels the request's context.
func ExtendDeadlines(w http.ResponseWriter, until time.Time) error {
	control := http.NewResponseController(w)
	if err := errors.Join(control.SetReadDeadline(until), control.SetWriteDeadline(until)); err != nil {
		return fmt.Errorf("the deadlines of a request cannot be moved: %w", err)
	}
	return nil
}
