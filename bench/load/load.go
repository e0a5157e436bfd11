// Package load sends HTTP/1.1 requests over kept connections and times the answers. It shares the
// machine with the server that it measures, so it does as little as it can for each request.
package load

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Source makes the requests of one kind.
type Source struct {
	// Append adds request i of a worker to the buffer, from the request line to the end of the body.
	Append func(buf []byte, worker, i int) []byte
	// Answered, if set, hears of every answer with a 2xx status, in the worker's own goroutine.
	Answered func(worker, i int)
}

// Result is what one run saw.
type Result struct {
	Requests int           // answered with a 2xx status
	Failures int           // answered otherwise, or not at all
	Bytes    int64         // of the bodies
	Elapsed  time.Duration // of the whole run
	Failure  string        // of the first failure, what it was

	latencies []time.Duration // of the answers, sorted
}

// PerSecond is the throughput.
func (r Result) PerSecond() float64 { return float64(r.Requests) / r.Elapsed.Seconds() }

// Percentile is the latency within which a share of the requests was answered.
func (r Result) Percentile(share float64) time.Duration {
	if len(r.latencies) == 0 {
		return 0
	}
	return r.latencies[min(int(share*float64(len(r.latencies))), len(r.latencies)-1)]
}

// Run sends requests over that many connections, one at a time on each, until the time is over.
func Run(ctx context.Context, address string, connections int, d time.Duration, s Source) (Result, error) {
	workers := make([]worker, connections)
	for i := range workers {
		conn, err := dial(ctx, address)
		if err != nil {
			return Result{}, err
		}
		defer conn.close()
		workers[i] = worker{id: i, conn: conn, source: s}
	}
	var all sync.WaitGroup
	begin := time.Now()
	for i := range workers {
		all.Go(func() { workers[i].run(ctx, begin.Add(d)) })
	}
	all.Wait()
	return sum(workers, time.Since(begin)), ctx.Err()
}

type worker struct {
	id     int
	conn   *connection
	source Source
	seen   Result
}

// run ends early when the connection breaks: what follows could not be told from a late answer.
func (w *worker) run(ctx context.Context, end time.Time) {
	var buf []byte
	for i := 0; ctx.Err() == nil; i++ {
		begin := time.Now()
		if !begin.Before(end) {
			return
		}
		buf = w.source.Append(buf[:0], w.id, i)
		status, size, err := w.conn.roundTrip(buf, end.Add(answerTimeout))
		switch {
		case err != nil:
			w.fail(err)
			return
		case status < 200 || status > 299:
			w.fail(statusError(status))
			continue
		}
		w.seen.latencies = append(w.seen.latencies, time.Since(begin))
		w.seen.Requests++
		w.seen.Bytes += size
		if w.source.Answered != nil {
			w.source.Answered(w.id, i)
		}
	}
}

func (w *worker) fail(err error) {
	w.seen.Failures++
	if w.seen.Failure == "" {
		w.seen.Failure = err.Error()
	}
}

func sum(workers []worker, elapsed time.Duration) Result {
	total := Result{Elapsed: elapsed}
	for _, w := range workers {
		total.Requests += w.seen.Requests
		total.Failures += w.seen.Failures
		total.Bytes += w.seen.Bytes
		total.latencies = append(total.latencies, w.seen.latencies...)
		if total.Failure == "" {
			total.Failure = w.seen.Failure
		}
	}
	slices.Sort(total.latencies)
	return total
}
