package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"milepost/bench/report"
)

// describe tells what is measured, and where.
func (s setup) describe(e env) report.Run {
	run := report.Run{
		Command: strings.Join(os.Args[1:], " "), Date: time.Now().UTC().Format(time.DateOnly),
		Machine: fmt.Sprintf("%d cores, %s, %s, %s", runtime.NumCPU(), processor(), memory(), runtime.Version()),
	}
	if info, err := os.Stat(s.Milepost); err == nil {
		run.Binary = info.Size()
	}
	if commit, err := output(e.ctx, "git", "rev-parse", "--short", "HEAD"); err == nil {
		run.Commit = commit
	}
	return run
}

func processor() string { return field("/proc/cpuinfo", "model name", runtime.GOARCH) }
func memory() string    { return strings.TrimSpace(field("/proc/meminfo", "MemTotal", "")) }

// field is the value of a line "name: value" of a file of the system.
func field(path, name, otherwise string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return otherwise
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return otherwise
}
