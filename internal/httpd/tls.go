package httpd

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// CertFiles serves a certificate from two PEM files and takes up new contents without a restart. While the files are
// missing, broken or do not fit each other (as in the middle of a renewal) the last good pair stays in service.
type CertFiles struct {
	certPath, keyPath string
	log               *slog.Logger
	now               func() time.Time

	mu      sync.Mutex
	pair    *tls.Certificate
	seen    [2]os.FileInfo
	checked time.Time
	trouble string
}

// certCheck is how often the files are looked at; between two looks a handshake costs no system call.
const certCheck = time.Second

// NewCertFiles reads the pair; the first one must be good.
func NewCertFiles(certPath, keyPath string, log *slog.Logger, now func() time.Time) (*CertFiles, error) {
	c := &CertFiles{certPath: certPath, keyPath: keyPath, log: log, now: now, checked: now()}
	seen, err := c.look()
	if err == nil {
		err = c.load(seen)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// TLSConfig is a server's configuration with this certificate.
func (c *CertFiles) TLSConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.GetCertificate}
}

// GetCertificate is for tls.Config. It never fails.
func (c *CertFiles) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if since := c.now().Sub(c.checked); since >= certCheck || since < 0 {
		c.checked = c.now()
		c.refresh()
	}
	return c.pair, nil
}

func (c *CertFiles) refresh() {
	seen, err := c.look()
	if err == nil {
		if sameFile(seen[0], c.seen[0]) && sameFile(seen[1], c.seen[1]) {
			return
		}
		err = c.load(seen)
	}
	switch {
	case err == nil:
		c.trouble = ""
		c.log.Info("the certificate was renewed from its files", "file", c.certPath, "expires", c.pair.Leaf.NotAfter)
	case err.Error() != c.trouble:
		// Told once, not at every handshake.
		c.trouble = err.Error()
		c.log.Error("the certificate files cannot be used, the one before stays in service", "error", err)
	}
}

// load remembers what it saw before it reads, so that a change during the read is noticed at the next look.
func (c *CertFiles) load(seen [2]os.FileInfo) error {
	c.seen = seen
	pair, err := tls.LoadX509KeyPair(c.certPath, c.keyPath)
	if err != nil {
		return fmt.Errorf("certificate %s with key %s cannot be used: %w", c.certPath, c.keyPath, err)
	}
	c.pair = &pair
	return nil
}

func (c *CertFiles) look() (seen [2]os.FileInfo, err error) {
	for i, path := range [2]string{c.certPath, c.keyPath} {
		if seen[i], err = os.Stat(path); err != nil {
			return seen, fmt.Errorf("a certificate file cannot be read: %w", err)
		}
	}
	return seen, nil
}

// sameFile compares the file's identity too, since a file renamed into place may have an old date.
func sameFile(a, b os.FileInfo) bool {
	return a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && os.SameFile(a, b)
}
