package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Sizes of the plot, in pixels.
const (
	labelWidth = 190
	barWidth   = 420 // of a ratio of 1
	barHeight  = 14
	rowHeight  = 22
	maxRatio   = 1.4 // longer bars are cut off
)

// Plot draws the ratios to the floor as bars, with a line at each goal.
func (r Run) Plot(out io.Writer) error {
	var body strings.Builder
	y := 30
	for _, s := range r.Series {
		fmt.Fprintf(&body, `<text x="8" y="%d" class="head">%s, %s stories: our throughput as a share of the floor's</text>`+"\n",
			y, title(s.Engine), thousands(s.Stories))
		y += 14
		for _, row := range s.Rows {
			bar(&body, row, y)
			y += rowHeight
		}
		y += 26
	}
	width := labelWidth + int(maxRatio*barWidth) + 60
	_, err := fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
<style>.head{font-weight:bold;font-size:13px}.cold{fill:#2b6cb0}.mixed{fill:#90cdf4}.warm{fill:#68d391}.goal{stroke:#c53030;stroke-width:2}.floor{stroke:#a0aec0;stroke-dasharray:3 3}</style>
<rect width="100%%" height="100%%" fill="white"/>
<line x1="%d" x2="%d" y1="36" y2="%d" class="floor"/>
%s</svg>
`, width, y, width, y, labelWidth+barWidth, labelWidth+barWidth, y-20, body.String())
	return err
}

func bar(out io.Writer, row Row, y int) {
	name := row.Operation + ", " + row.Mode
	if !row.Served() {
		name += " (" + NotServed + ")"
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", labelWidth-8, y+barHeight-3, escape(name))
	length := int(min(row.Ratio(), maxRatio) * barWidth)
	fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" class="%s"/>`+"\n", labelWidth, y, length, barHeight, escape(row.Mode))
	goal := labelWidth + int(goals[row.Operation]*barWidth)
	fmt.Fprintf(out, `<line x1="%d" x2="%d" y1="%d" y2="%d" class="goal"/>`+"\n", goal, goal, y-2, y+barHeight+2)
	fmt.Fprintf(out, `<text x="%d" y="%d">%.2f</text>`+"\n", labelWidth+length+6, y+barHeight-3, row.Ratio())
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}
