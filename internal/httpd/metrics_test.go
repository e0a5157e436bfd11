package httpd

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// scrape gives the lines of /metrics that begin with a prefix.
func scrape(t *testing.T, m *Metrics, prefix string) string {
	t.Helper()
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if rec.Code != http.StatusOK {
		t.Fatalf("/metrics: %d %s", rec.Code, rec.Body)
	}
	var found strings.Builder
	for line := range strings.Lines(rec.Body.String()) {
		if strings.HasPrefix(line, prefix) {
			found.WriteString(line)
		}
	}
	return found.String()
}

func TestRequestMetrics(t *testing.T) {
	t.Parallel()
	m := NewMetrics("1.2.3", "abc", ticker(200*time.Millisecond))
	var during string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /things/{id}", func(http.ResponseWriter, *http.Request) {
		during = scrape(t, m, "milepost_http_requests_in_flight")
	})
	mux.HandleFunc("POST /noted/", func(w http.ResponseWriter, r *http.Request) {
		Note(r.Context()).Route = "/noted"
		w.WriteHeader(http.StatusUnprocessableEntity)
	})
	mux.HandleFunc("PUT /abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	h := m.Middleware(mux)
	for _, target := range []string{
		"GET /things/1", "GET /things/2", "POST /noted/3", "GET /nowhere/1", "GET /nowhere/2", "BREW /nowhere/3", "PUT /abort",
	} {
		method, path, _ := strings.Cut(target, " ")
		func() {
			defer func() { _ = recover() }()
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
		}()
	}

	if want := "milepost_http_requests_in_flight 1\n"; during != want {
		t.Errorf("during a request %q, want %q", during, want)
	}
	for prefix, want := range map[string]string{
		"milepost_http_requests_in_flight": "milepost_http_requests_in_flight 0\n",
		"milepost_http_requests_total": `milepost_http_requests_total{code="200",method="GET",route="GET /things/{id}"} 2
milepost_http_requests_total{code="200",method="PUT",route="PUT /abort"} 1
milepost_http_requests_total{code="404",method="GET",route="unknown"} 2
milepost_http_requests_total{code="404",method="other",route="unknown"} 1
milepost_http_requests_total{code="422",method="POST",route="/noted"} 1
`,
		"milepost_http_request_duration_seconds_sum": `milepost_http_request_duration_seconds_sum{class="2xx",method="GET",route="GET /things/{id}"} 0.4
milepost_http_request_duration_seconds_sum{class="2xx",method="PUT",route="PUT /abort"} 0.2
milepost_http_request_duration_seconds_sum{class="4xx",method="GET",route="unknown"} 0.4
milepost_http_request_duration_seconds_sum{class="4xx",method="POST",route="/noted"} 0.2
milepost_http_request_duration_seconds_sum{class="4xx",method="other",route="unknown"} 0.2
`,
		"milepost_build_info": fmt.Sprintf("milepost_build_info{goversion=%q,revision=\"abc\",version=\"1.2.3\"} 1\n", runtime.Version()),
	} {
		if got := scrape(t, m, prefix); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
	for _, prefix := range []string{"go_goroutines ", "process_start_time_seconds "} {
		if scrape(t, m, prefix) == "" && (runtime.GOOS == "linux" || prefix[0] == 'g') {
			t.Errorf("no %s in the metrics", prefix)
		}
	}
}

func TestPoolAndGaugeMetrics(t *testing.T) {
	t.Parallel()
	m := NewMetrics("", "", time.Now)
	stats := sql.DBStats{
		MaxOpenConnections: 1, OpenConnections: 2, InUse: 3, Idle: 4, WaitCount: 5, WaitDuration: 6 * time.Second,
		MaxIdleClosed: 7, MaxIdleTimeClosed: 8, MaxLifetimeClosed: 9,
	}
	m.AddPool("read", func() sql.DBStats { return stats })
	m.AddPool("write", func() sql.DBStats { return sql.DBStats{OpenConnections: 1} })
	position := 41.0
	m.AddGauge("milepost_change_number", "The last change.", func() float64 { return position })
	position++
	stats.InUse = 33

	if got, want := scrape(t, m, "milepost_change_number"), "milepost_change_number 42\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got := scrape(t, m, "milepost_db_")
	for _, want := range []string{
		`milepost_db_max_open_connections{pool="read"} 1`, `milepost_db_open_connections{pool="read"} 2`,
		`milepost_db_in_use_connections{pool="read"} 33`, `milepost_db_idle_connections{pool="read"} 4`,
		`milepost_db_waits_total{pool="read"} 5`, `milepost_db_wait_seconds_total{pool="read"} 6`,
		`milepost_db_closed_max_idle_total{pool="read"} 7`, `milepost_db_closed_max_idle_time_total{pool="read"} 8`,
		`milepost_db_closed_max_lifetime_total{pool="read"} 9`, `milepost_db_open_connections{pool="write"} 1`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func TestMetricsHandlerPaths(t *testing.T) {
	t.Parallel()
	h := NewMetrics("", "", time.Now).Handler()
	for path, want := range map[string]int{
		"/debug/pprof/": 200, "/debug/pprof/goroutine?debug=1": 200, "/debug/pprof/cmdline": 404, "/": 404,
	} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
		if rec.Code != want {
			t.Errorf("%s: %d, want %d", path, rec.Code, want)
		}
	}
}
