package httpd

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"

	"github.com/caddyserver/certmagic"
)

// ACMEConfig says which certificates to get by themselves, and from whom.
type ACMEConfig struct {
	Domains []string
	// Email is where the authority may write to; it may be empty.
	Email string
	// Storage is the directory of account keys and certificates. Nodes that share it share the certificates.
	Storage string
	// AgreeTerms states that the operator agrees to the authority's terms; nothing is asked for without it.
	AgreeTerms bool
	// Directory is the authority's directory URL; empty stands for Let's Encrypt.
	Directory string
	// Roots are trusted when talking to a private authority; nil stands for the system's.
	Roots *x509.CertPool
	// Log must be set. The library's own notes go to standard error besides.
	Log *slog.Logger
}

// ACME gets and renews certificates. It proves the domains through TLS-ALPN-01 on the server's own listener, so port
// 443 of each domain must lead there and no second port is needed.
type ACME struct {
	domains []string
	cache   *certmagic.Cache
	config  *certmagic.Config
	issuer  *certmagic.ACMEIssuer
}

// NewACME checks the configuration and asks nobody; Start does.
func NewACME(c ACMEConfig) (*ACME, error) {
	if len(c.Domains) == 0 {
		return nil, errors.New("automatic certificates need at least one domain")
	}
	domains := make([]string, 0, len(c.Domains))
	for _, domain := range c.Domains {
		domain = strings.ToLower(strings.TrimSpace(domain))
		// The challenge cannot prove a wildcard.
		if !certmagic.SubjectQualifiesForCert(domain) || strings.ContainsAny(domain, "*:/") {
			return nil, fmt.Errorf("%q is not a domain that can have an automatic certificate", domain)
		}
		domains = append(domains, domain)
	}
	if c.Storage == "" {
		return nil, errors.New("automatic certificates need a directory to keep them in")
	}
	if !c.AgreeTerms {
		return nil, errors.New("automatic certificates need the operator's agreement to the authority's terms")
	}

	a := &ACME{domains: domains}
	a.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return a.config, nil },
	})
	a.config = certmagic.New(a.cache, certmagic.Config{
		Storage: &certmagic.FileStorage{Path: c.Storage},
		OnEvent: logCertEvents(c.Log),
	})
	a.issuer = certmagic.NewACMEIssuer(a.config, certmagic.ACMEIssuer{
		CA:                   c.Directory,
		Email:                c.Email,
		Agreed:               true,
		TrustedRoots:         c.Roots,
		DisableHTTPChallenge: true,
	})
	a.config.Issuers = []certmagic.Issuer{a.issuer}
	return a, nil
}

// TLSConfig is a server's configuration with these certificates; it also answers the challenges.
func (a *ACME) TLSConfig() *tls.Config {
	config := a.config.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	config.NextProtos = append([]string{"h2", "http/1.1"}, config.NextProtos...)
	return config
}

// Start gets and renews certificates in the background until ctx ends. Listener is the address that the server already
// listens on: were nobody there, the library would open the port itself.
func (a *ACME) Start(ctx context.Context, listener net.Addr) error {
	host, port, err := net.SplitHostPort(listener.String())
	if err != nil {
		return fmt.Errorf("automatic certificates need a TCP listener, %s is none: %w", listener, err)
	}
	a.issuer.ListenHost = host
	if a.issuer.AltTLSALPNPort, err = strconv.Atoi(port); err != nil {
		return fmt.Errorf("the listener's port %q is not a number: %w", port, err)
	}
	return a.config.ManageAsync(ctx, a.domains)
}

// Stop ends the upkeep of certificates and frees the locks that other nodes may wait for. It is called once.
func (a *ACME) Stop() { a.cache.Stop() }

// logCertEvents brings what an operator must know into our own log.
func logCertEvents(log *slog.Logger) func(context.Context, string, map[string]any) error {
	return func(ctx context.Context, event string, data map[string]any) error {
		switch event {
		case "cert_obtained":
			log.InfoContext(ctx, "a certificate was obtained", "domain", data["identifier"], "renewal", data["renewal"])
		case "cached_managed_cert":
			log.InfoContext(ctx, "a certificate is in service", "domains", data["sans"])
		case "cert_failed":
			log.ErrorContext(ctx, "a certificate could not be obtained", "domain", data["identifier"], "error", data["error"])
		case "cert_ocsp_revoked":
			log.ErrorContext(ctx, "a certificate was revoked by its authority", "domains", data["subjects"])
		}
		return nil
	}
}
