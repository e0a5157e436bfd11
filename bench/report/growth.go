package report

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// sizes groups the series by engine, in the order of their first appearance.
func (r Run) sizes() (engines []string, series map[string][]Series) {
	series = map[string][]Series{}
	for _, s := range r.Series {
		if series[s.Engine] == nil {
			engines = append(engines, s.Engine)
		}
		series[s.Engine] = append(series[s.Engine], s)
	}
	return engines, series
}

// Growth prints how much more each operation costs as there are more stories: the time of one
// request on one connection as a ratio to the first size.
func (r Run) Growth(out io.Writer) error {
	engines, series := r.sizes()
	for _, engine := range engines {
		all := series[engine]
		fmt.Fprintf(out, "\n%s: milliseconds of one request, and how often as long as with %d stories\n", engine, all[0].Stories)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "operation\t")
		for _, s := range all {
			fmt.Fprintf(w, "%d\t\tcpu µs\tfloor\t\t", s.Stories)
		}
		fmt.Fprintln(w)
		for i, first := range all[0].Rows {
			fmt.Fprintf(w, "%s\t", first.Operation)
			for _, s := range all {
				row := s.Rows[i]
				if !row.Served() {
					fmt.Fprintf(w, "%s\t\t\t\t\t", NotServed)
					continue
				}
				fmt.Fprintf(w, "%.2f\t%.2f×\t%.0f\t%.2f\t%.2f×\t", row.Ours.Millis, times(row.Ours.Millis, first.Ours.Millis), row.Ours.Micros,
					row.Floor.Millis, times(row.Floor.Millis, first.Floor.Millis))
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		for _, s := range all {
			s.weigh(out)
		}
	}
	return nil
}

// Searches prints how long typical searches take as there are more stories.
func (r Run) Searches(out io.Writer) error {
	engines, series := r.sizes()
	for _, engine := range engines {
		all := series[engine]
		fmt.Fprintf(out, "\n%s: milliseconds of a search, and how often as long as with %d stories\n", engine, all[0].Stories)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "query\t")
		for _, s := range all {
			fmt.Fprintf(w, "%d\t\tfound\t", s.Stories)
		}
		fmt.Fprintln(w)
		for i, first := range all[0].Queries {
			fmt.Fprintf(w, "%s\t", first.Kind)
			for _, s := range all {
				q := s.Queries[i]
				if q.Failure != "" {
					fmt.Fprintf(w, "%s\t\t\t", q.Failure)
					continue
				}
				fmt.Fprintf(w, "%.2f\t%.2f×\t%d\t", q.Millis, times(q.Millis, first.Millis), q.Total)
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// times is how often as much a is; 0 when that makes no sense.
func times(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
