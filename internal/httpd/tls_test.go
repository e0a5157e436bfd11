package httpd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned makes a certificate whose common name tells it apart.
func selfSigned(t *testing.T, name string) (certPEM, keyPEM []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: name},
		DNSNames:     []string{"localhost"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

// replace puts a file in place by renaming, as renewal tools do.
func replace(t *testing.T, path string, contents []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", contents, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestCertFilesAreReloaded(t *testing.T) {
	t.Parallel()
	certPath, keyPath := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	cert1, key1 := selfSigned(t, "first")
	cert2, key2 := selfSigned(t, "second")
	replace(t, certPath, cert1)
	replace(t, keyPath, key1)
	c := newClock()
	var out bytes.Buffer
	files, err := NewCertFiles(certPath, keyPath, jsonLog(&out, slog.LevelInfo), c.now)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	listener := tls.NewListener(server.Listener, files.TLSConfig())
	server.Listener = listener
	server.Start()
	defer server.Close()

	served := func() string {
		conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	logged := 0
	step := func(name, want, level string) {
		t.Helper()
		if got := served(); got != want {
			t.Errorf("%s: %q is served, want %q", name, got, want)
		}
		all := lines(t, &out)
		switch {
		case level == "" && len(all) != logged:
			t.Errorf("%s: logged %v, want nothing new", name, all[logged:])
		case level != "" && (len(all) != logged+1 || all[logged]["level"] != level):
			t.Errorf("%s: logged %v, want one line of level %s", name, all[logged:], level)
		}
		logged = len(all)
	}

	step("start", "first", "")
	c.t = c.t.Add(time.Second)
	step("unchanged", "first", "")
	replace(t, certPath, cert2)
	c.t = c.t.Add(time.Second - 1)
	step("changed, but looked at a moment ago", "first", "")
	c.t = c.t.Add(1)
	step("the certificate without its key", "first", "ERROR")
	c.t = c.t.Add(time.Second)
	step("still without its key, told only once", "first", "")
	replace(t, keyPath, key2)
	c.t = c.t.Add(time.Second)
	step("both", "second", "INFO")
	replace(t, certPath, []byte("garbage"))
	c.t = c.t.Add(time.Second)
	step("broken", "second", "ERROR")
	if err := os.Remove(certPath); err != nil {
		t.Fatal(err)
	}
	c.t = c.t.Add(time.Second)
	step("gone", "second", "ERROR")
	c.t = c.t.Add(time.Second)
	step("still gone, told only once", "second", "")
	replace(t, certPath, cert1)
	replace(t, keyPath, key1)
	c.t = c.t.Add(-time.Hour)
	step("repaired, the clock set back", "first", "INFO")
}

// A file of the same size and date is another one all the same.
func TestCertFilesNoticeARenamedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := [2]string{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")}
	date := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var pair [2][]byte
	put := func(name string) {
		pair[0], pair[1] = selfSigned(t, name)
		for i, path := range paths {
			replace(t, path, append(pair[i], bytes.Repeat([]byte("\n"), 1000-len(pair[i]))...))
			if err := os.Chtimes(path, date, date); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("first")
	c := newClock()
	files, err := NewCertFiles(paths[0], paths[1], slog.New(slog.NewTextHandler(io.Discard, nil)), c.now)
	if err != nil {
		t.Fatal(err)
	}
	put("second")
	c.t = c.t.Add(time.Second)
	got, err := files.GetCertificate(nil)
	if err != nil || got.Leaf.Subject.CommonName != "second" {
		t.Errorf("%v is served, %v, want the second certificate", got.Leaf.Subject, err)
	}
}

func TestCertFilesMustBeginWell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "cert.pem")
	replace(t, path, []byte("garbage"))
	for _, cert := range []string{path, filepath.Join(dir, "absent.pem")} {
		_, err := NewCertFiles(cert, path, slog.New(slog.DiscardHandler), time.Now)
		if err == nil || !strings.Contains(err.Error(), cert) {
			t.Errorf("error %v, want one that names %s", err, cert)
		}
	}
}
