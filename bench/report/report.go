// Package report holds the numbers of a benchmark run and turns them into text and pictures.
package report

import (
	"encoding/json"
	"os"
)

// Run is everything that one command measured.
type Run struct {
	Command string   `json:"command"`
	Machine string   `json:"machine"`
	Date    string   `json:"date"`
	Commit  string   `json:"commit,omitempty"`
	Binary  int64    `json:"binary_bytes,omitempty"`
	Rounds  int      `json:"rounds,omitempty"`
	Series  []Series `json:"series"`
}

// Series is what was measured on one engine with one number of stories.
type Series struct {
	Engine  string   `json:"engine"`
	Stories int      `json:"stories"`
	Rows    []Row    `json:"rows,omitempty"`
	Weight  *Weight  `json:"weight,omitempty"`
	Queries []Timing `json:"queries,omitempty"`
}

// Row compares ours with the floor in one operation.
type Row struct {
	Mode      string `json:"mode"`
	Operation string `json:"operation"`
	Ours      Side   `json:"ours"`
	Floor     Side   `json:"floor"`
	Lost      string `json:"lost,omitempty"` // what the check after writing found
}

// Side is one server in one operation.
type Side struct {
	Best     float64 `json:"best_per_second"`   // over the rounds, at many connections
	Median   float64 `json:"median_per_second"` // likewise
	Millis   float64 `json:"median_ms"`         // of one request on one connection, in the median round
	Slow     float64 `json:"p99_ms"`            // at many connections
	Bytes    float64 `json:"bytes"`             // of one answer's body
	Micros   float64 `json:"processor_us"`      // of processor time for one request; without that of PostgreSQL
	Failures int     `json:"failures"`
	Failure  string  `json:"failure,omitempty"`
}

// Weight is what the server costs before it answers anything.
type Weight struct {
	StartMillis float64 `json:"start_ms"`
	IdleBytes   int64   `json:"idle_bytes"`
	LoadedBytes int64   `json:"loaded_bytes"`
	FloorIdle   int64   `json:"floor_idle_bytes"`
	FloorLoaded int64   `json:"floor_loaded_bytes"`
}

// Timing is how long one query took on one connection.
type Timing struct {
	Kind      string  `json:"kind"`
	Query     string  `json:"query"`
	Selective bool    `json:"selective"` // matches few stories, however many there are
	Total     int64   `json:"total"`     // how many stories match
	Millis    float64 `json:"median_ms"`
	Failure   string  `json:"failure,omitempty"`
}

// Served reports whether our server knows the operation.
func (r Row) Served() bool { return r.Ours.Failure != NotServed }

// NotServed is the failure of an operation that our server does not have yet.
const NotServed = "not served"

// Ratio is our throughput over the floor's; 0 when there is nothing to compare.
func (r Row) Ratio() float64 {
	if r.Floor.Median == 0 {
		return 0
	}
	return r.Ours.Median / r.Floor.Median
}

// Read reads what Write has written.
func Read(path string) (run Run, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return run, err
	}
	return run, json.Unmarshal(text, &run)
}

// Write keeps the run as JSON.
func (r Run) Write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
