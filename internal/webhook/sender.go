package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"milepost/internal/tracker"
)

// keptAnswer is how much of a receiver's answer is kept.
const keptAnswer = 4 << 10

// Sender posts payloads. Where a connection goes is judged when it is made, so that neither a name
// that changes its address nor a redirect leads into a private network.
type Sender struct {
	client  *http.Client
	timeout time.Duration
}

// NewSender makes a Sender that gives receivers so long to answer, and reaches private networks only
// where allow says so. The resolver may be nil.
func NewSender(timeout time.Duration, allow []netip.Prefix, resolver *net.Resolver) *Sender {
	dialer := &net.Dialer{Timeout: timeout, Control: guard(allow).Safe, Resolver: resolver}
	return &Sender{timeout: timeout, client: &http.Client{
		Transport: &http.Transport{ // without a proxy: behind one, addresses could not be judged
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConns: 256, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: timeout,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// guard refuses private and reserved networks, but for those that are allowed.
func guard(allow []netip.Prefix) *ssrf.Guardian {
	options := []ssrf.Option{ssrf.WithAnyPort()}
	for _, p := range allow {
		if p.Addr().Is4() {
			options = append(options, ssrf.WithAllowedV4Prefixes(p))
		} else {
			options = append(options, ssrf.WithAllowedV6Prefixes(p))
		}
	}
	return ssrf.New(options...)
}

// signatureHeaders carry the signature, the newest name first.
var signatureHeaders = []string{"Payload-Signature", "Shortcut-Signature", "Clubhouse-Signature"}

// Sign is the HMAC-SHA256 of the body in lower-case hexadecimal digits.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// outcome is what came of an attempt, as the metrics count it.
type outcome string

const (
	delivered   outcome = "delivered"
	rejected    outcome = "rejected"    // the receiver answered, but not with 2xx
	forbidden   outcome = "forbidden"   // the address is in a private network
	late        outcome = "timeout"     // no answer in time
	unreachable outcome = "unreachable" // no answer at all
)

// send makes one attempt and tells what came of it.
func (s *Sender) send(ctx context.Context, hook tracker.Webhook, body []byte) (outcome, tracker.Delivery) {
	var d tracker.Delivery
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		d.Problem = "The address is not valid."
		return unreachable, d
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Milepost-Webhook")
	if hook.Secret != nil {
		for _, name := range signatureHeaders {
			req.Header.Set(name, Sign(*hook.Secret, body))
		}
	}
	answer, err := s.client.Do(req)
	if err != nil {
		var o outcome
		o, d.Problem = s.explain(err)
		return o, d
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, keptAnswer)) // the status has said it all
	status := int64(answer.StatusCode)
	d.Status, d.Answer = &status, strings.ReplaceAll(strings.ToValidUTF8(string(text), "\uFFFD"), "\x00", "\uFFFD")
	switch status / 100 {
	case 2:
		return delivered, d
	case 3:
		d.Problem = fmt.Sprintf("The receiver answered with %d; redirects are not followed.", status)
	default:
		d.Problem = fmt.Sprintf("The receiver answered with %d.", status)
	}
	return rejected, d
}

// explain says why there was no answer, without what the server's own network looks like.
func (s *Sender) explain(err error) (outcome, string) {
	var unknown *net.DNSError
	var network net.Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork):
		return forbidden, "The address is in a private or reserved network, which the operator has not allowed (--webhook-allow)."
	case errors.As(err, &unknown):
		return unreachable, "The name of the receiver could not be resolved."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return late, fmt.Sprintf("The receiver did not answer within %v.", s.timeout)
	case strings.Contains(err.Error(), "tls:"), strings.Contains(err.Error(), "x509:"):
		return unreachable, "No secure connection to the receiver could be made: its certificate or protocol is not accepted."
	default:
		return unreachable, "The receiver could not be reached, or ended the connection without an answer."
	}
}
