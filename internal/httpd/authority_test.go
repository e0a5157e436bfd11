package httpd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// authority is a certificate authority that speaks as much of ACME (RFC 8555) as one order needs. It does not verify
// signatures, but it does check the tls-alpn-01 challenge (RFC 8737) before it signs.
type authority struct {
	t           *testing.T
	server      *httptest.Server
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate

	mu         sync.Mutex
	target     string
	domain     string
	thumbprint string
	status     string
	issued     []byte
}

const challengeToken = "c2VsZWN0ZWQtYnktdGhlLWF1dGhvcml0eQ"

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, status: "pending"}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /directory", func(w http.ResponseWriter, _ *http.Request) {
		a.answer(w, 200, map[string]string{
			"newNonce": a.url("nonce"), "newAccount": a.url("account"), "newOrder": a.url("order/new"),
		})
	})
	mux.HandleFunc("/nonce", func(w http.ResponseWriter, _ *http.Request) { a.answer(w, 200, nil) })
	mux.HandleFunc("POST /account", a.account)
	mux.HandleFunc("POST /order/new", a.newOrder)
	mux.HandleFunc("POST /order", func(w http.ResponseWriter, _ *http.Request) { a.answer(w, 200, a.order()) })
	mux.HandleFunc("POST /authorization", func(w http.ResponseWriter, _ *http.Request) { a.answer(w, 200, a.authorization()) })
	mux.HandleFunc("POST /challenge", a.challenge)
	mux.HandleFunc("POST /finalize", a.finalize)
	mux.HandleFunc("POST /certificate", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pem-certificate-chain")
		_ = pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.issued})
	})
	a.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		w.Header().Set("Replay-Nonce", rand.Text())
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(a.server.Close)
	return a
}

// validateAt says where the domain's port 443 leads to.
func (a *authority) validateAt(target string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.target = target
}

func (a *authority) url(path string) string { return a.server.URL + "/" + path }

func (a *authority) answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if body != nil {
		_ = json.NewEncoder(w).Encode(body)
	}
}

// open reads the two parts of a signed request.
func (a *authority) open(r *http.Request, protected, payload any) {
	var envelope struct{ Protected, Payload string }
	err := json.NewDecoder(r.Body).Decode(&envelope)
	for text, into := range map[string]any{envelope.Protected: protected, envelope.Payload: payload} {
		if into != nil && err == nil {
			var part []byte
			if part, err = base64.RawURLEncoding.DecodeString(text); err == nil {
				err = json.Unmarshal(part, into)
			}
		}
	}
	if err != nil {
		a.t.Error(err)
	}
}

func (a *authority) account(w http.ResponseWriter, r *http.Request) {
	var protected struct {
		JWK struct{ Crv, Kty, X, Y string }
	}
	var payload struct{ TermsOfServiceAgreed bool }
	a.open(r, &protected, &payload)
	if !payload.TermsOfServiceAgreed {
		a.t.Error("the account does not agree to the terms")
	}
	jwk := protected.JWK
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":%q,"kty":%q,"x":%q,"y":%q}`, jwk.Crv, jwk.Kty, jwk.X, jwk.Y))
	a.thumbprint = base64.RawURLEncoding.EncodeToString(sum[:])
	w.Header().Set("Location", a.url("account/1"))
	a.answer(w, 201, map[string]string{"status": "valid"})
}

func (a *authority) newOrder(w http.ResponseWriter, r *http.Request) {
	var payload struct{ Identifiers []struct{ Value string } }
	a.open(r, nil, &payload)
	a.domain = payload.Identifiers[0].Value
	w.Header().Set("Location", a.url("order"))
	a.answer(w, 201, a.order())
}

func (a *authority) order() map[string]any {
	order := map[string]any{
		"status": "pending", "identifiers": []any{a.identifier()},
		"authorizations": []string{a.url("authorization")}, "finalize": a.url("finalize"),
	}
	if a.status == "valid" {
		order["status"] = "ready"
	}
	if a.issued != nil {
		order["status"], order["certificate"] = "valid", a.url("certificate")
	}
	return order
}

func (a *authority) identifier() map[string]string {
	return map[string]string{"type": "dns", "value": a.domain}
}

func (a *authority) authorization() map[string]any {
	return map[string]any{
		"status": a.status, "identifier": a.identifier(),
		"challenges": []any{map[string]string{
			"type": "tls-alpn-01", "url": a.url("challenge"), "token": challengeToken, "status": a.status,
		}},
	}
}

func (a *authority) challenge(w http.ResponseWriter, _ *http.Request) {
	a.status = "valid"
	if err := a.validate(); err != nil {
		a.t.Error(err)
		a.status = "invalid"
	}
	a.answer(w, 200, map[string]string{"type": "tls-alpn-01", "url": a.url("challenge"), "token": challengeToken, "status": a.status})
}

func (a *authority) validate() error {
	conn, err := tls.Dial("tcp", a.target, &tls.Config{
		ServerName: a.domain, NextProtos: []string{"acme-tls/1"}, InsecureSkipVerify: true,
	})
	if err != nil {
		return err
	}
	defer conn.Close()
	state := conn.ConnectionState()
	sum := sha256.Sum256([]byte(challengeToken + "." + a.thumbprint))
	want, err := asn1.Marshal(sum[:])
	if err != nil {
		return err
	}
	for _, extension := range state.PeerCertificates[0].Extensions {
		if extension.Id.Equal(asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}) && bytes.Equal(extension.Value, want) &&
			state.NegotiatedProtocol == "acme-tls/1" {
			return nil
		}
	}
	return errors.New("the server did not prove the domain")
}

func (a *authority) finalize(w http.ResponseWriter, r *http.Request) {
	var payload struct{ CSR string }
	a.open(r, nil, &payload)
	der, err := base64.RawURLEncoding.DecodeString(payload.CSR)
	if err != nil {
		a.t.Error(err)
	}
	request, err := x509.ParseCertificateRequest(der)
	if err != nil {
		a.t.Error(err)
		return
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: request.DNSNames, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(time.Hour),
	}
	if a.issued, err = x509.CreateCertificate(rand.Reader, template, a.certificate, request.PublicKey, a.key); err != nil {
		a.t.Error(err)
	}
	w.Header().Set("Location", a.url("order"))
	a.answer(w, 200, a.order())
}
