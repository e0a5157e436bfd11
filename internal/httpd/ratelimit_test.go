package httpd

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// clock stands still until it is moved.
type clock struct{ t time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) now() time.Time { return c.t }

func TestLimiterBoundary(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 200, time.Minute, c.now)
	begin := c.t
	for i := range 200 {
		c.t = begin.Add(time.Duration(i) * 100 * time.Millisecond)
		if d := l.Allow("k"); !d.Allowed || d.Remaining != 199-i || d.Limit != 200 {
			t.Fatalf("request %d: %+v", i+1, d)
		}
	}
	for _, row := range []struct {
		name    string
		at      time.Duration
		allowed bool
		retry   time.Duration
	}{
		{"201st at once", 19900 * time.Millisecond, false, 40100 * time.Millisecond},
		{"last moment of the first's window", time.Minute - 1, false, 1},
		{"exactly a window after the first", time.Minute, true, 0},
		{"the next one counts again", time.Minute, false, 100 * time.Millisecond},
		{"exactly a window after the second", time.Minute + 100*time.Millisecond, true, 0},
	} {
		c.t = begin.Add(row.at)
		if d := l.Allow("k"); d.Allowed != row.allowed || d.RetryAfter != row.retry || d.Remaining != 0 {
			t.Errorf("%s: %+v, want allowed %v, retry after %v", row.name, d, row.allowed, row.retry)
		}
	}
	if d := l.Allow("other"); !d.Allowed || d.Remaining != 199 || d.ResetAfter != time.Minute {
		t.Errorf("another key: %+v, want it untouched by the first", d)
	}
}

func TestLimiterWithoutLimit(t *testing.T) {
	t.Parallel()
	l := NewLimiter("default", 0, time.Minute, newClock().now)
	for range 1000 {
		d := l.Allow("k")
		h := http.Header{}
		d.WriteHeaders(h)
		if !d.Allowed || len(h) != 0 {
			t.Fatalf("%+v with headers %v, want it allowed without any", d, h)
		}
	}
	if len(l.keys) != 0 {
		t.Errorf("%d keys are remembered, want none", len(l.keys))
	}
}

func TestLimiterHeaders(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 2, time.Minute, c.now)
	for _, row := range []struct {
		step                time.Duration
		rateLimit, retryFor string
	}{
		{0, `"default";r=1;t=60`, ""},
		{29*time.Second + time.Millisecond, `"default";r=0;t=31`, ""},
		{0, `"default";r=0;t=31`, "31"},
		{30*time.Second + 998*time.Millisecond, `"default";r=0;t=1`, "1"},
		{time.Millisecond, `"default";r=0;t=30`, ""},
	} {
		c.t = c.t.Add(row.step)
		h := http.Header{}
		l.Allow("k").WriteHeaders(h)
		if h.Get("RateLimit-Policy") != `"default";q=2;w=60` || h.Get("RateLimit") != row.rateLimit || h.Get("Retry-After") != row.retryFor {
			t.Errorf("got %v, want %s, Retry-After %q", h, row.rateLimit, row.retryFor)
		}
	}
}

func TestLimiterClockSetBack(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 1, time.Minute, c.now)
	c.t = c.t.Add(time.Hour)
	l.Allow("k")
	c.t = c.t.Add(-time.Hour)
	if d := l.Allow("k"); d.Allowed || d.RetryAfter != time.Minute {
		t.Errorf("after the clock was set back: %+v, want it refused for a minute", d)
	}
}

func TestLimiterForgetsIdleKeys(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 3, time.Minute, c.now)
	for i := range 1000 {
		l.Allow(strconv.Itoa(i))
	}
	c.t = c.t.Add(time.Minute)
	for range 1000 {
		l.Allow("busy")
	}
	if len(l.keys) != 1 || l.recent.Len() != 1 {
		t.Errorf("%d keys, %d histories remain, want only the busy one", len(l.keys), l.recent.Len())
	}
	if h := l.recent.Front().Value.(*history); len(h.times) != 3 {
		t.Errorf("the history has %d places, want no more than the limit", len(h.times))
	}
}

// A busy key must not hide an idle one that came after it.
func TestLimiterForgetsBehindABusyKey(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 3, time.Minute, c.now)
	l.Allow("busy")
	l.Allow("idle")
	c.t = c.t.Add(59 * time.Second)
	l.Allow("busy")
	c.t = c.t.Add(time.Second)
	l.Allow("new")
	if _, found := l.keys["idle"]; found || len(l.keys) != 2 {
		t.Errorf("%d keys remain, the idle one: %v", len(l.keys), found)
	}
}

func TestLimiterBoundsItsKeys(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 5, time.Minute, c.now)
	l.maxKeys = 2
	l.Allow("a")
	c.t = c.t.Add(time.Second)
	l.Allow("b")
	if d := l.Allow("c"); d.Allowed || d.RetryAfter != 59*time.Second {
		t.Errorf("a key too many: %+v, want it refused until the first is idle", d)
	}
	if d := l.Allow("a"); !d.Allowed {
		t.Errorf("a known key: %+v, want it allowed", d)
	}
	c.t = c.t.Add(time.Minute)
	if d := l.Allow("c"); !d.Allowed {
		t.Errorf("after the others went idle: %+v, want it allowed", d)
	}
}

// The limiter against the plain reading of its contract: all times ever allowed, counted anew for each request.
func TestLimiterProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 12).Draw(t, "limit")
		const window = 60 * time.Second
		c := newClock()
		begin := c.t
		l := NewLimiter("default", limit, window, c.now)
		allowed := map[string][]time.Duration{}
		for range rapid.IntRange(0, 200).Draw(t, "requests") {
			step := time.Duration(rapid.OneOf(rapid.Int64Range(0, int64(10*time.Second)),
				rapid.SampledFrom([]int64{0, 1, int64(window - 1), int64(window), int64(window + 1)})).Draw(t, "step"))
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			c.t = c.t.Add(step)
			at := c.t.Sub(begin)

			inWindow := 0
			oldest := at
			for _, earlier := range allowed[key] {
				if earlier > at-window {
					inWindow++
					oldest = min(oldest, earlier)
				}
			}
			d := l.Allow(key)
			if d.Allowed != (inWindow < limit) {
				t.Fatalf("at %v with %d of %d in the window: %+v", at, inWindow, limit, d)
			}
			if wait := oldest + window - at; d.ResetAfter != wait || (!d.Allowed && d.RetryAfter != wait) {
				t.Fatalf("at %v: %+v, want a wait of %v", at, d, wait)
			}
			if d.Allowed {
				allowed[key] = append(allowed[key], at)
				if d.Remaining != limit-inWindow-1 {
					t.Fatalf("at %v with %d of %d in the window: %+v", at, inWindow, limit, d)
				}
			}
		}
		for key, times := range allowed {
			for i := limit; i < len(times); i++ {
				if times[i]-times[i-limit] < window {
					t.Fatalf("key %s: %d requests within %v", key, limit+1, times[i]-times[i-limit])
				}
			}
		}
	})
}

func TestLimiterConcurrently(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := NewLimiter("default", 100, time.Minute, c.now)
	var allowed atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if l.Allow("k").Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	group.Wait()
	if allowed.Load() != 100 {
		t.Errorf("%d of 400 allowed at once, want 100", allowed.Load())
	}
}

func BenchmarkLimiter(b *testing.B) {
	for _, keys := range []int{1, 10_000} {
		b.Run(fmt.Sprint(keys, " keys"), func(b *testing.B) {
			l := NewLimiter("default", 200, time.Minute, time.Now)
			names := make([]string, keys)
			for i := range names {
				names[i] = "key-" + strconv.Itoa(i)
			}
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					l.Allow(names[rand.IntN(keys)])
				}
			})
		})
	}
}
