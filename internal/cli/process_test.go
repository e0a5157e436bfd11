package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

// A process is a milepost serve under way.
type process struct {
	cmd      *exec.Cmd
	url      string
	token    string // the first token, if one was shown
	greeting string

	mu     sync.Mutex
	stderr bytes.Buffer
	ended  chan struct{} // stderr has been read to its end
}

// startServe starts the command and waits for its greeting, which tells the address.
func startServe(program, dir string, environ []string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = dir, environ
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.collect(stderr)
	greeting := make([]byte, 4096) // it is written at once
	n, err := stdout.Read(greeting)
	p.greeting = string(greeting[:n])
	for line := range strings.SplitSeq(p.greeting, "\n") {
		if url, ok := strings.CutPrefix(line, "Milepost serves at "); ok {
			p.url = url
		}
		if token, ok := strings.CutPrefix(line, "First token:"); ok {
			p.token = strings.TrimSpace(token)
		}
	}
	if p.url == "" {
		_ = p.wait()
		return nil, fmt.Errorf("the server did not start (%w): %s%s", err, p.greeting, p.log())
	}
	return p, nil
}

func (p *process) collect(stderr io.Reader) {
	defer close(p.ended)
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		p.mu.Lock()
		p.stderr.WriteString(line)
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (p *process) log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

func (p *process) wait() error {
	<-p.ended
	return p.cmd.Wait()
}

// stop asks the process to end and waits for it.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.wait()
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.wait()
}

// request sends one request and returns the status and the body.
func request(client *http.Client, method, url, token, body string) (int, string, error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		req.Header.Set("Service-Token", token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// withoutSettings is our environment with no MILEPOST_… in it.
func withoutSettings(more ...string) []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MILEPOST_") {
			out = append(out, v)
		}
	}
	return append(out, more...)
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
