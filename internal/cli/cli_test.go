package cli_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"milepost/internal/cli"
	"milepost/internal/testkit"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"milepost": func() { os.Exit(cli.Main("v0.0.0-test", os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the scripts in testdata/script on both engines.
func TestScripts(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, newDatabase func(*testing.T) string) {
		runScripts(t, "testdata/script/*.txtar", func(t *testing.T, env *testscript.Env) {
			if address := newDatabase(t); strings.HasPrefix(address, "postgres") {
				env.Setenv("MILEPOST_DATABASE", address)
			}
		})
	})
}

// TestSQLiteScripts runs the scripts about the data directory.
func TestSQLiteScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, "testdata/sqlite/*.txtar", func(*testing.T, *testscript.Env) {})
}

func runScripts(t *testing.T, pattern string, setup func(*testing.T, *testscript.Env)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", pattern, err, len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Files: []string{file},
				Setup: func(env *testscript.Env) error {
					env.Values["server"] = new(*process)
					setup(t, env)
					return nil
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"exits": exits, "start": start, "stop": stop, "http": sendRequest, "capture": capture, "certificate": certificate,
					"occupy": occupy,
				},
			})
		})
	}
}

// exits STATUS COMMAND…  runs the command, which must end with the status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if got := exitCode(ts.Exec(args[1], args[2:]...)); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// serverOf is where start keeps the server of a script.
func serverOf(ts *testscript.TestScript) **process { return ts.Value("server").(**process) }

// start [FLAG…]  starts a server, sets $URL and $TOKEN, and shows its greeting as stdout.
func start(ts *testscript.TestScript, _ bool, args []string) {
	program, err := exec.LookPath("milepost")
	ts.Check(err)
	var environ []string
	for _, name := range []string{"PATH", "HOME", "MILEPOST_DATABASE", "MILEPOST_DATA", "MILEPOST_LISTEN", "MILEPOST_PUBLIC_URL", "MILEPOST_RATE_LIMIT"} {
		if v := ts.Getenv(name); v != "" {
			environ = append(environ, name+"="+v)
		}
	}
	p, err := startServe(program, ts.MkAbs("."), environ, args...)
	ts.Check(err)
	ts.Defer(p.kill)
	*serverOf(ts) = p
	ts.Setenv("URL", p.url)
	ts.Setenv("TOKEN", p.token)
	fmt.Fprint(ts.Stdout(), p.greeting)
}

// stop  ends the server, which must go in order, and shows its log as stderr.
func stop(ts *testscript.TestScript, _ bool, _ []string) {
	p := *serverOf(ts)
	if code := exitCode(p.stop()); code != 0 {
		ts.Fatalf("the server ended with status %d: %s", code, p.log())
	}
	fmt.Fprint(ts.Stderr(), p.log())
}

// http STATUS METHOD URL [TOKEN [BODY]]  sends a request, which must be answered with the status, and
// shows the answer as stdout. Certificates in cert.pem are trusted.
func sendRequest(ts *testscript.TestScript, _ bool, args []string) {
	args = append(args, "", "")
	roots := x509.NewCertPool()
	if text, err := os.ReadFile(ts.MkAbs("cert.pem")); err == nil {
		roots.AppendCertsFromPEM(text)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	status, body, err := request(&http.Client{Transport: transport}, args[1], args[2], args[3], args[4])
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), body)
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, want %s: %s", status, args[0], body)
	}
}

// capture NAME PATTERN  sets a variable to the first group of the pattern in the last stdout.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("%s does not match stdout", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// certificate  writes cert.pem and key.pem for 127.0.0.1.
func certificate(ts *testscript.TestScript, _ bool, _ []string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ts.Check(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	ts.Check(err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	ts.Check(err)
	for file, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		ts.Check(os.WriteFile(ts.MkAbs(file), pem.EncodeToMemory(block), 0o600))
	}
}

// occupy NAME  listens on a port and sets the variable to its address.
func occupy(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], l.Addr().String())
}
