package httpd

import (
	"container/list"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limiter allows each key at most limit requests in any window, to the nanosecond: it keeps the time of every request
// that it allowed and still counts. A request refused does not count. A key idle for a window is forgotten.
type Limiter struct {
	name   string
	limit  int
	window time.Duration
	now    func() time.Time

	mu    sync.Mutex
	start time.Time
	last  time.Duration
	keys  map[string]*list.Element
	// recent holds the histories ordered by their latest request, the idlest in front.
	recent  *list.List
	maxKeys int
}

// Decision is the limiter's answer for one request.
type Decision struct {
	Allowed   bool
	Limit     int // 0: there is no limit
	Remaining int
	// ResetAfter is when Remaining grows next, RetryAfter how long a refused request must wait.
	ResetAfter, RetryAfter time.Duration

	policy string
	window time.Duration
}

// NewLimiter makes a limiter of the given limit in each window; limit 0 allows everything. The name of the policy
// appears in headers. now must not be nil.
func NewLimiter(name string, limit int, window time.Duration, now func() time.Time) *Limiter {
	return &Limiter{
		name: name, limit: limit, window: window, now: now,
		start: now(), keys: map[string]*list.Element{}, recent: list.New(),
		// Keys may come from strangers (their addresses), so their number is bounded, too.
		maxKeys: 1 << 20,
	}
}

// Allow judges and, when it allows, counts one request of key.
func (l *Limiter) Allow(key string) Decision {
	if l.limit <= 0 {
		return Decision{Allowed: true}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// A wall clock that is set back must not reorder what was counted.
	t := max(l.now().Sub(l.start), l.last)
	l.last = t
	l.forgetIdle(t)

	d := Decision{Limit: l.limit, policy: l.name, window: l.window}
	element, known := l.keys[key]
	if !known {
		if len(l.keys) >= l.maxKeys {
			idlest := l.recent.Front().Value.(*history)
			d.RetryAfter = idlest.newest() + l.window - t
			d.ResetAfter = d.RetryAfter
			return d
		}
		element = l.recent.PushBack(&history{key: key})
		l.keys[key] = element
	}
	h := element.Value.(*history)
	h.dropUntil(t - l.window)
	if h.count == l.limit {
		d.RetryAfter = h.oldest() + l.window - t
		d.ResetAfter = d.RetryAfter
		return d
	}
	h.push(t, l.limit)
	l.recent.MoveToBack(element)
	d.Allowed = true
	d.Remaining = l.limit - h.count
	d.ResetAfter = h.oldest() + l.window - t
	return d
}

// forgetIdle drops at most two keys, which is enough: a call adds at most one. So no call pays for a whole sweep.
func (l *Limiter) forgetIdle(t time.Duration) {
	for range 2 {
		front := l.recent.Front()
		if front == nil {
			return
		}
		h := front.Value.(*history)
		if h.newest() > t-l.window {
			return
		}
		l.recent.Remove(front)
		delete(l.keys, h.key)
	}
}

// WriteHeaders tells the client where it stands, in the structured fields of the IETF draft on rate limits, and after
// a refusal when to come back. It writes nothing when there is no limit.
func (d Decision) WriteHeaders(h http.Header) {
	if d.Limit <= 0 {
		return
	}
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", d.policy, d.Limit, seconds(d.window)))
	h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", d.policy, d.Remaining, seconds(d.ResetAfter)))
	if !d.Allowed {
		h.Set("Retry-After", strconv.FormatInt(max(1, seconds(d.RetryAfter)), 10))
	}
}

// seconds rounds up, so that whoever waits them does not come too early.
func seconds(d time.Duration) int64 {
	return int64((d + time.Second - 1) / time.Second)
}

// history is a ring of the times at which one key was allowed, oldest at head. It grows as needed up to the limit.
type history struct {
	key         string
	times       []time.Duration
	head, count int
}

func (h *history) oldest() time.Duration { return h.times[h.head] }
func (h *history) newest() time.Duration { return h.times[(h.head+h.count-1)%len(h.times)] }

func (h *history) dropUntil(t time.Duration) {
	for h.count > 0 && h.oldest() <= t {
		h.head = (h.head + 1) % len(h.times)
		h.count--
	}
}

func (h *history) push(t time.Duration, limit int) {
	if h.count == len(h.times) {
		grown := make([]time.Duration, min(max(4, 2*len(h.times)), limit))
		n := copy(grown, h.times[h.head:])
		copy(grown[n:], h.times[:h.head])
		h.times, h.head = grown, 0
	}
	h.times[(h.head+h.count)%len(h.times)] = t
	h.count++
}
