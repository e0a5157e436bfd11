package report_test

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"milepost/bench/report"
)

func example() report.Run {
	side := func(median float64) report.Side {
		return report.Side{Median: median, Best: median * 2, Millis: 1000 / median}
	}
	rows := []report.Row{
		{Mode: "cold", Operation: "get story", Ours: side(50), Floor: side(200)},
		{Mode: "mixed", Operation: "rare-word search", Ours: report.Side{Failure: report.NotServed}},
		{Mode: "cold", Operation: "create", Ours: report.Side{Median: 30, Failures: 2, Failure: "status 503"}, Floor: side(10), Lost: "3 lost"},
	}
	slower := []report.Row{{Mode: "cold", Operation: "get story", Ours: side(25), Floor: side(200)}, rows[1], rows[2]}
	return report.Run{
		Command: "run", Machine: "2 cores", Binary: 44_800_000, Rounds: 3,
		Series: []report.Series{
			{Engine: "sqlite", Stories: 1000, Rows: rows, Weight: &report.Weight{StartMillis: 100, IdleBytes: 40_000_000}},
			{Engine: "sqlite", Stories: 100000, Rows: slower},
		},
	}
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	run := example()
	var table, growth strings.Builder
	if err := errors.Join(run.Table(&table), run.Growth(&growth)); err != nil {
		t.Fatal(err)
	}
	wants(t, table.String(), "sqlite, 1000 stories", "0.25", "0.12", "not served", "3.00", "ours 2 (status 503) 3 lost", "start 100 ms, memory 40 MB idle", "binary 44.8 MB")
	wants(t, growth.String(), "20.00  1.00×", "40.00  2.00×", "not served")
	wants(t, run.Markdown(), "### SQLite, 100,000 stories", "| get story | cold | **0.25** | 0.5 |", "| rare-word search | mixed | not served |", "ours 2 (status 503) 3 lost")
	wants(t, run.GrowthMarkdown(), "| get story | 20.00 ms (1.00×) | 40.00 ms (2.00×) |", "| operation | 1,000 stories | 100,000 stories |")
}

func TestSearches(t *testing.T) {
	t.Parallel()
	run := report.Run{Series: []report.Series{
		{Engine: "postgres", Stories: 1000, Queries: []report.Timing{{Kind: "word", Millis: 2, Total: 5}, {Kind: "day", Failure: "status 404"}}},
		{Engine: "postgres", Stories: 10000, Queries: []report.Timing{{Kind: "word", Millis: 3, Total: 6}, {Kind: "day", Failure: "status 404"}}},
	}}
	var table strings.Builder
	if err := run.Searches(&table); err != nil {
		t.Fatal(err)
	}
	wants(t, table.String(), "2.00  1.00×      5", "3.00  1.50×      6", "status 404")
	wants(t, run.GrowthMarkdown(), "| search: word | 2.00 ms (1.00×), 5 found | 3.00 ms (1.50×), 6 found |")
}

func TestPlot(t *testing.T) {
	t.Parallel()
	var picture strings.Builder
	if err := example().Plot(&picture); err != nil {
		t.Fatal(err)
	}
	bars := 0
	for d := xml.NewDecoder(strings.NewReader(picture.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the plot is no XML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
			bars++
		}
	}
	if bars != 1+6 { // the background and a bar for each row
		t.Errorf("%d rectangles", bars)
	}
	wants(t, picture.String(), `width="105"`, "not served", `width="588"`) // a quarter of the floor; three times the floor is cut off
}

func TestKeptRun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "run.json")
	if err := example().Write(path); err != nil {
		t.Fatal(err)
	}
	run, err := report.Read(path)
	if err != nil || run.Markdown() != example().Markdown() {
		t.Errorf("the run reads back as %v, %v", run, err)
	}
}

func TestInsert(t *testing.T) {
	t.Parallel()
	got, err := report.Insert("a\n<!-- x -->\nold\n<!-- /x -->\nb\n", "x", "new\n")
	if want := "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, document := range []string{"", "<!-- x -->\n", "<!-- /x -->"} {
		if _, err := report.Insert(document, "x", "new"); err == nil {
			t.Errorf("%q has no place for it", document)
		}
	}
}
