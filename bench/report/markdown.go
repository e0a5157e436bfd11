package report

import (
	"fmt"
	"strings"
)

// goals are the ratios that issue texts and docs speak of, by operation.
var goals = map[string]float64{
	"get story": 0.5, "list 25 slim": 0.4, "search 25 full": 0.4, "list 1,000 slim": 0.5, "rare-word search": 0.4, "operator search": 0.4,
	"create": 0.5, "update": 0.5, "move": 0.5, "comment": 0.5,
}

// Markdown is the run as a section of the documentation.
func (r Run) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured %s at commit %s on %s; %d rounds, binary %.1f MB.\n\n    %s\n", r.Date, r.Commit, r.Machine, r.Rounds, megabytes(r.Binary), r.Command)
	for _, s := range r.Series {
		fmt.Fprintf(&b, "\n### %s, %s stories\n\n", title(s.Engine), thousands(s.Stories))
		b.WriteString("| operation | mode | ratio | goal | ours/s | floor/s | ours ms | floor ms | ours CPU µs | floor CPU µs | failures |\n")
		b.WriteString("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
		for _, row := range s.Rows {
			if !row.Served() {
				fmt.Fprintf(&b, "| %s | %s | %s | | | | | | | | |\n", row.Operation, row.Mode, NotServed)
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | **%.2f** | %.1f | %.0f | %.0f | %.2f | %.2f | %.0f | %.0f | %s |\n", row.Operation, row.Mode, row.Ratio(), goals[row.Operation],
				row.Ours.Median, row.Floor.Median, row.Ours.Millis, row.Floor.Millis, row.Ours.Micros, row.Floor.Micros, row.failures())
		}
		if w := s.Weight; w != nil {
			fmt.Fprintf(&b, "\nStart %.0f ms; memory %.0f MB idle, %.0f MB loaded (floor: %.0f and %.0f MB).\n", w.StartMillis, megabytes(w.IdleBytes),
				megabytes(w.LoadedBytes), megabytes(w.FloorIdle), megabytes(w.FloorLoaded))
		}
	}
	return b.String()
}

// GrowthMarkdown is the growth of costs as a section of the documentation.
func (r Run) GrowthMarkdown() string {
	var b strings.Builder
	engines, series := r.sizes()
	for _, engine := range engines {
		all := series[engine]
		fmt.Fprintf(&b, "\n### Growth on %s\n\n| operation |", title(engine))
		for _, s := range all {
			fmt.Fprintf(&b, " %s stories |", thousands(s.Stories))
		}
		b.WriteString("\n|---|" + strings.Repeat("--:|", len(all)) + "\n")
		for i, first := range all[0].Rows {
			fmt.Fprintf(&b, "| %s |", first.Operation)
			for _, s := range all {
				if row := s.Rows[i]; row.Served() {
					fmt.Fprintf(&b, " %.2f ms (%.2f×) |", row.Ours.Millis, times(row.Ours.Millis, first.Ours.Millis))
				} else {
					fmt.Fprintf(&b, " %s |", NotServed)
				}
			}
			b.WriteString("\n")
		}
		for i, first := range all[0].Queries {
			fmt.Fprintf(&b, "| search: %s |", first.Kind)
			for _, s := range all {
				q := s.Queries[i]
				fmt.Fprintf(&b, " %.2f ms (%.2f×), %d found |", q.Millis, times(q.Millis, first.Millis), q.Total)
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
		for _, s := range all {
			if w := s.Weight; w != nil {
				fmt.Fprintf(&b, "- %s stories: start %.0f ms, memory %.0f MB idle, %.0f MB loaded\n", thousands(s.Stories), w.StartMillis,
					megabytes(w.IdleBytes), megabytes(w.LoadedBytes))
			}
		}
	}
	return b.String()
}

func title(engine string) string {
	if engine == "postgres" {
		return "PostgreSQL"
	}
	return "SQLite"
}

func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Insert puts a text between the marks <!-- name --> and <!-- /name --> of a document.
func Insert(document, name, text string) (string, error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(document, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("the document has no %s … %s", strings.TrimSpace(begin), end)
	}
	return before + begin + strings.TrimRight(text, "\n") + "\n" + end + after, nil
}
