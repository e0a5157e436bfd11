package demo

import (
	"math"
	"time"

	"milepost/internal/tracker"
)

func (f *filler) chance(p float64) bool { return f.r.Float64() < p }

// skewed is an index below n, of which the first are far more likely: the one at i has the weight
// 1/(i+1), so each power of two of them gets the same share.
func (f *filler) skewed(n int) int {
	return min(int(math.Pow(float64(n+1), f.r.Float64()))-1, n-1)
}

// days is a stretch of time between two numbers of days.
func (f *filler) days(least, most float64) time.Duration {
	return time.Duration((least + f.r.Float64()*(most-least)) * float64(24*time.Hour))
}

// workingHour is a moment within the working hours of a weekday, about that long after the beginning.
func (f *filler) workingHour(after time.Duration) time.Time {
	day := f.now.Add(after).Truncate(24 * time.Hour)
	switch day.Weekday() {
	case time.Saturday:
		day = day.Add(-24 * time.Hour)
	case time.Sunday:
		day = day.Add(-48 * time.Hour)
	}
	return day.Add(8*time.Hour + time.Duration(f.r.IntN(10*3600))*time.Second)
}

// someLabels picks n labels, the first ones more often.
func (f *filler) someLabels(n int) []tracker.LabelParams {
	out := make([]tracker.LabelParams, n)
	for i := range out {
		at := f.skewed(len(f.labels))
		out[i].Name = f.labels[at].name
		if !f.labels[at].used {
			f.labels[at].used = true
			f.made.Labels++
		}
	}
	return out
}
