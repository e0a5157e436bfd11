package hooks

import (
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"milepost/internal/api/rest"
	"milepost/internal/httpd"
	"milepost/internal/tracker"
	"milepost/internal/webhook"
)

const (
	maxReport   = 1 << 20
	maxReported = 1000
	// leakSignature holds the HMAC-SHA256 of the report in hexadecimal digits, as our webhooks do.
	leakSignature = "Payload-Signature"
)

type reportedToken struct {
	Token string `json:"token"`
	Type  string `json:"type"`
}

// verdict says what came of one token, without repeating it.
type verdict struct {
	TokenHash string `json:"token_hash"` // SHA-256, hexadecimal
	TokenType string `json:"token_type"`
	Label     string `json:"label"`
}

var errSignature = &tracker.Error{Code: tracker.Unauthorized, Tag: "unauthorized", Message: "The header " + leakSignature + " does not sign this report."}

// reportLeaks takes reports of published tokens from partners who scan for secrets, in the form in
// which GitHub sends them.
func (a API) reportLeaks(w http.ResponseWriter, r *http.Request) {
	verdicts, err := a.leaks(w, r)
	switch {
	case errors.Is(err, errSignature):
		a.Refuse(w, r, err)
	case err != nil:
		rest.WriteError(w, r, err)
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(verdicts) // the partner may be gone; there is nobody to tell
	}
}

func (a API) leaks(w http.ResponseWriter, r *http.Request) ([]verdict, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReport))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &tracker.Error{Code: tracker.TooLarge, Message: "The report is larger than 1 MiB."}
	case err != nil:
		return nil, tracker.InvalidFields(map[string]any{"body": "could not be read to its end"})
	case !hmac.Equal([]byte(r.Header.Get(leakSignature)), []byte(webhook.Sign(a.LeakSecret, body))):
		return nil, errSignature
	}
	var reported []reportedToken
	if err := json.Unmarshal(body, &reported); err != nil {
		return nil, tracker.InvalidFields(map[string]any{"body": "must be an array of objects with token and type"})
	}
	if len(reported) > maxReported {
		return nil, tracker.InvalidFields(map[string]any{"body": fmt.Sprintf("must have at most %d tokens", maxReported)})
	}
	by := tracker.Actor{Name: "secret scanning", Via: "hooks", RequestID: httpd.RequestID(r.Context()), Address: a.ClientAddr(r)}
	verdicts := make([]verdict, len(reported))
	for i, t := range reported {
		ours, err := a.Service.ReportLeaked(r.Context(), by, t.Token)
		if err != nil {
			return nil, err
		}
		verdicts[i] = verdict{TokenHash: tracker.HashToken(t.Token), TokenType: t.Type, Label: "false_positive"}
		if ours {
			verdicts[i].Label = "true_positive"
		}
	}
	return verdicts, nil
}
