package httpd

import (
	"database/sql"

	"github.com/prometheus/client_golang/prometheus"
)

// AddPool shows the state of a database pool, labelled with its name. A name can be added once.
func (m *Metrics) AddPool(name string, stats func() sql.DBStats) {
	m.registry.MustRegister(newPool(name, stats))
}

type poolColumn struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(sql.DBStats) float64
}

type pool struct {
	stats   func() sql.DBStats
	columns []poolColumn
}

// newPool gives its own collector since the library's wants the *sql.DB, which stays inside the store.
func newPool(name string, stats func() sql.DBStats) *pool {
	column := func(metric, help string, kind prometheus.ValueType, value func(sql.DBStats) float64) poolColumn {
		labels := prometheus.Labels{"pool": name}
		return poolColumn{prometheus.NewDesc("milepost_db_"+metric, help, nil, labels), kind, value}
	}
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	return &pool{stats: stats, columns: []poolColumn{
		column("max_open_connections", "Most connections allowed; 0 is no limit.", gauge,
			func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }),
		column("open_connections", "Connections open, in use or idle.", gauge,
			func(s sql.DBStats) float64 { return float64(s.OpenConnections) }),
		column("in_use_connections", "Connections in use.", gauge,
			func(s sql.DBStats) float64 { return float64(s.InUse) }),
		column("idle_connections", "Connections idle.", gauge,
			func(s sql.DBStats) float64 { return float64(s.Idle) }),
		column("waits_total", "Times that a connection had to be waited for.", counter,
			func(s sql.DBStats) float64 { return float64(s.WaitCount) }),
		column("wait_seconds_total", "Time spent waiting for connections.", counter,
			func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }),
		column("closed_max_idle_total", "Connections closed because enough were idle.", counter,
			func(s sql.DBStats) float64 { return float64(s.MaxIdleClosed) }),
		column("closed_max_idle_time_total", "Connections closed because they were idle for long.", counter,
			func(s sql.DBStats) float64 { return float64(s.MaxIdleTimeClosed) }),
		column("closed_max_lifetime_total", "Connections closed because they were old.", counter,
			func(s sql.DBStats) float64 { return float64(s.MaxLifetimeClosed) }),
	}}
}

func (p *pool) Describe(out chan<- *prometheus.Desc) {
	for _, c := range p.columns {
		out <- c.desc
	}
}

func (p *pool) Collect(out chan<- prometheus.Metric) {
	stats := p.stats()
	for _, c := range p.columns {
		out <- prometheus.MustNewConstMetric(c.desc, c.kind, c.value(stats))
	}
}
