package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A process is a server that was started to be measured.
type process struct {
	cmd     *exec.Cmd
	address string
	started time.Duration // until it answered
	stderr  bytes.Buffer
}

// start runs a server and waits until it is healthy. The arguments hold %s where the address goes.
func start(ctx context.Context, program string, args ...string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "%s", address)
	}
	p := &process{cmd: exec.CommandContext(ctx, program, args...), address: address}
	p.cmd.Stderr = &p.stderr
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	begin := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for !healthy(ctx, address) {
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), p.stop())
		case <-time.After(time.Millisecond):
		}
		if time.Since(begin) > time.Minute {
			return nil, errors.Join(fmt.Errorf("%s does not answer: %s", program, p.stderr.String()), p.stop())
		}
	}
	p.started = time.Since(begin)
	return p, nil
}

func healthy(ctx context.Context, address string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// freeAddress is a port of this machine that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", p.cmd.Path, err, p.stderr.String())
	}
	return nil
}

// resident is how much memory the process holds now.
func (p *process) resident() int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	if err != nil {
		return 0 // not on this system
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb * 1024
		}
	}
	return 0
}

// ticks is how many of them the system counts a second; Linux has fixed it for programs.
const ticks = 100

// processor is how much processor time the process has used so far.
func (p *process) processor() time.Duration {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/stat")
	if err != nil {
		return 0 // not on this system
	}
	// The name, in parentheses, may hold spaces; user and system time are the 12th and 13th field after it.
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticks
}

// output runs a command to its end and returns what it printed.
func output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}
