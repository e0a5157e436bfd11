package report

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table prints the comparison with the floor, one line for each operation.
func (r Run) Table(out io.Writer) error {
	for _, s := range r.Series {
		fmt.Fprintf(out, "\n%s, %d stories\n", s.Engine, s.Stories)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "operation\tmode\tratio\tours/s\tbest\tfloor/s\tbest\tours ms\tfloor ms\tours p99\tours cpu µs\tfloor cpu µs\tbytes\tfloor bytes\t failures\t")
		for _, row := range s.Rows {
			if !row.Served() {
				fmt.Fprintf(w, "%s\t%s\t%s\t\t\t\t\t\t\t\t\t\t\t\t\t\n", row.Operation, row.Mode, NotServed)
				continue
			}
			fmt.Fprintf(w, "%s\t%s\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%.1f\t%.0f\t%.0f\t%.0f\t%.0f\t %s\t\n", row.Operation, row.Mode, row.Ratio(),
				row.Ours.Median, row.Ours.Best, row.Floor.Median, row.Floor.Best, row.Ours.Millis, row.Floor.Millis, row.Ours.Slow,
				row.Ours.Micros, row.Floor.Micros, row.Ours.Bytes, row.Floor.Bytes, row.failures())
		}
		if err := w.Flush(); err != nil {
			return err
		}
		s.weigh(out)
	}
	if r.Binary > 0 {
		fmt.Fprintf(out, "\nbinary %.1f MB\n", megabytes(r.Binary))
	}
	return nil
}

func (s Series) weigh(out io.Writer) {
	if w := s.Weight; w != nil {
		fmt.Fprintf(out, "%d stories: start %.0f ms, memory %.0f MB idle and %.0f MB loaded (floor %.0f and %.0f)\n", s.Stories, w.StartMillis,
			megabytes(w.IdleBytes), megabytes(w.LoadedBytes), megabytes(w.FloorIdle), megabytes(w.FloorLoaded))
	}
}

// failures says what went wrong, on either side; empty when nothing did.
func (r Row) failures() string {
	text := ""
	for _, side := range []struct {
		name string
		Side
	}{{"ours", r.Ours}, {"floor", r.Floor}} {
		if side.Failures > 0 {
			text += fmt.Sprintf("%s %d (%s) ", side.name, side.Failures, side.Failure)
		}
	}
	return text + r.Lost
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }
