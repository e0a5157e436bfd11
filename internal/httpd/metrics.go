package httpd

import (
	"net/http"
	"net/http/pprof"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics counts requests and shows them, with whatever else is added, on a registry of its own.
type Metrics struct {
	registry *prometheus.Registry
	now      func() time.Time
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

// NewMetrics makes the registry with the Go runtime, the process and the build in it.
func NewMetrics(version, revision string, now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		now:      now,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "milepost_http_requests_total",
			Help: "Requests answered, by method, route and status code.",
		}, []string{"method", "route", "code"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "milepost_http_request_duration_seconds",
			Help:    "Time from the request's headers to the end of its answer, by method, route and status class.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route", "class"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "milepost_http_requests_in_flight",
			Help: "Requests being served now, open event streams among them.",
		}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "milepost_build_info",
		Help:        "Always 1; the labels say which build is running.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.latency, m.inFlight, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// AddGauge shows the value of f, which is asked at each scrape and must answer at once. A name can be added once.
func (m *Metrics) AddGauge(name, help string, f func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, f))
}

// Registerer takes metrics of other packages. Names must begin with milepost_.
func (m *Metrics) Registerer() prometheus.Registerer { return m.registry }

// Middleware counts and times every request. The number of label values stays bounded: methods are a fixed set, and
// requests that no route matched share one label.
func (m *Metrics) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, record := withRecord(r)
		answer := observe(w)
		method := methodLabel(r.Method)
		begin := m.now()
		m.inFlight.Inc()
		defer func() {
			m.inFlight.Dec()
			route := record.route(r)
			if route == "" {
				route = "unknown"
			}
			code := strconv.Itoa(answer.code())
			m.requests.WithLabelValues(method, route, code).Inc()
			m.latency.WithLabelValues(method, route, code[:1]+"xx").Observe(m.now().Sub(begin).Seconds())
		}()
		next.ServeHTTP(answer, r)
	})
}

func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}

// Handler serves /metrics and /debug/pprof/. It asks for no token, so it belongs on a listener that only operators
// reach. pprof's cmdline is left out: arguments may hold a database password.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/cmdline", http.NotFound)
	return mux
}
