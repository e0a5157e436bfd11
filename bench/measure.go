package main

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"milepost/bench/load"
	"milepost/bench/report"
)

// manyConnections is how many are open when throughput is measured.
const manyConnections = 32

// mixedEvery is how many requests there are for one write in the mixed mode.
const mixedEvery = 20

// pace is how long things are measured.
type pace struct {
	rounds int
	round  time.Duration
}

// sourceOf makes the requests of an operation to our server; writes are noted when acknowledged.
func (fx *fixture) sourceOf(op operation) load.Source {
	s := fx.ours.source(op.method, op.ours(fx))
	if w := fx.written[op.name]; w != nil {
		s.Answered = func(worker, i int) {
			value := ""
			if op.check.says != nil {
				value = op.check.says(fx, worker, i)
			}
			w.note(fx.own(worker, i), value)
		}
	}
	return s
}

// floorSourceOf makes the same requests to the floor, for which every write is the same.
func (fx *fixture) floorSourceOf(op operation) load.Source {
	if op.floor != nil {
		return fx.theirs.source(http.MethodGet, op.floor(fx))
	}
	path, ours := "/write/"+op.name, op.ours(fx)
	s := fx.theirs.source(http.MethodPost, func(worker, i int) (string, string) {
		_, body := ours(worker, i)
		return path, body
	})
	s.Answered = func(int, int) { fx.received.Add(1) }
	return s
}

// mixed puts a write between the reads.
func mixed(reads, writes load.Source) load.Source {
	isWrite := func(worker, i int) bool { return (worker+i)%mixedEvery == 0 }
	return load.Source{
		Append: func(buf []byte, worker, i int) []byte {
			if isWrite(worker, i) {
				return writes.Append(buf, worker, i)
			}
			return reads.Append(buf, worker, i)
		},
		Answered: func(worker, i int) {
			if isWrite(worker, i) && writes.Answered != nil {
				writes.Answered(worker, i)
			}
		},
	}
}

// updates are the writes of the mixed mode.
var updates = writes[1]

// compare measures an operation on both servers in turn.
func (fx *fixture) compare(ctx context.Context, op operation, mode string, p pace) (report.Row, error) {
	row := report.Row{Operation: op.name, Mode: mode}
	if served, err := fx.serves(ctx, op); err != nil || !served {
		row.Ours.Failure = report.NotServed
		return row, err
	}
	ours, theirs := fx.sourceOf(op), fx.floorSourceOf(op)
	noted := op
	if mode == "mixed" {
		noted = updates
		ours, theirs = mixed(ours, fx.sourceOf(updates)), mixed(theirs, fx.floorSourceOf(updates))
	}
	sides := []*samples{{process: fx.ours.process, source: ours}, {process: fx.theirs.process, source: theirs}}
	for round := range 1 + p.rounds {
		for _, s := range sides {
			used := s.process.processor()
			many, err := fx.once(ctx, s.process.address, manyConnections, p.round, s.source)
			if err != nil {
				return row, err
			}
			used = s.process.processor() - used
			one, err := fx.once(ctx, s.process.address, 1, p.round/2, s.source)
			if err != nil {
				return row, err
			}
			s.add(many, one, used, round == 0)
		}
	}
	row.Ours, row.Floor = sides[0].side(), sides[1].side()
	if fx.written[noted.name] == nil {
		return row, nil
	}
	var err error
	row.Lost, err = fx.lost(ctx, noted)
	return row, err
}

func (fx *fixture) once(ctx context.Context, address string, connections int, d time.Duration, s load.Source) (load.Result, error) {
	fx.sequence += 1_000_000
	return load.Run(ctx, address, connections, d, s)
}

// serves asks our server once whether it knows the operation.
func (fx *fixture) serves(ctx context.Context, op operation) (bool, error) {
	path, body := op.ours(fx)(0, 0)
	if op.method != http.MethodGet {
		return true, nil
	}
	_, err := fx.ours.call(ctx, op.method, path, body)
	var refused *refusal
	if errors.As(err, &refused) && refused.status == http.StatusNotFound {
		return false, nil
	}
	return err == nil, err
}

// samples are the rounds of one server; the first only warms it up, but its failures count.
type samples struct {
	process *process
	source  load.Source

	perSecond, millis, slow []float64
	requests                int
	bytes                   int64
	used                    time.Duration // of the processor
	failures                int
	failure                 string
}

func (s *samples) add(many, one load.Result, used time.Duration, warmUp bool) {
	for _, r := range []load.Result{many, one} {
		s.failures += r.Failures
		if s.failure == "" {
			s.failure = r.Failure
		}
	}
	if warmUp {
		return
	}
	s.requests += many.Requests
	s.bytes += many.Bytes
	s.used += used
	s.perSecond = append(s.perSecond, many.PerSecond())
	s.slow = append(s.slow, millis(many.Percentile(0.99)))
	s.millis = append(s.millis, millis(one.Percentile(0.5)))
}

func (s *samples) side() report.Side {
	return report.Side{
		Best: slices.Max(s.perSecond), Median: median(s.perSecond), Millis: median(s.millis), Slow: median(s.slow),
		Bytes: float64(s.bytes) / float64(max(s.requests, 1)), Micros: float64(s.used.Microseconds()) / float64(max(s.requests, 1)),
		Failures: s.failures, Failure: s.failure,
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	upper := sorted[len(sorted)/2]
	return (sorted[(len(sorted)-1)/2] + upper) / 2
}
