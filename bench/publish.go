package main

import (
	"bytes"
	"os"

	"milepost/bench/report"
)

// publishCommand makes the numbers of the documentation, so that nobody copies them by hand.
type publishCommand struct {
	Document string   `arg:"" help:"Document with the marks <!-- ratios --> and <!-- growth -->."`
	Ratios   string   `required:"" help:"What bench run has written." placeholder:"FILE"`
	Growth   []string `help:"What bench growth and bench search have written." placeholder:"FILE"`
	Plot     string   `required:"" help:"File to draw the ratios into." placeholder:"FILE"`
}

func (c publishCommand) Run() error {
	run, err := report.Read(c.Ratios)
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := run.Plot(&picture); err != nil {
		return err
	}
	if err := os.WriteFile(c.Plot, picture.Bytes(), 0o644); err != nil {
		return err
	}
	text, err := os.ReadFile(c.Document)
	if err != nil {
		return err
	}
	document, err := report.Insert(string(text), "ratios", run.Markdown())
	if err != nil {
		return err
	}
	growth := ""
	for _, path := range c.Growth {
		run, err := report.Read(path)
		if err != nil {
			return err
		}
		growth += run.GrowthMarkdown()
	}
	if growth != "" {
		if document, err = report.Insert(document, "growth", growth); err != nil {
			return err
		}
	}
	return os.WriteFile(c.Document, []byte(document), 0o644)
}
