package vcs

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"

	"milepost/internal/tracker"
)

// signatureHeaders name the header in which each service proves that it knows the secret.
var signatureHeaders = map[tracker.Provider]string{
	tracker.GitHub: "X-Hub-Signature-256", tracker.GitLab: "X-Gitlab-Token", tracker.Bitbucket: "X-Hub-Signature",
}

var (
	errUnsigned = &tracker.Error{Code: tracker.Unauthorized, Tag: "unsigned", Message: "The delivery carries no signature: set the secret of the integration at the sender."}
	errForged   = &tracker.Error{Code: tracker.Unauthorized, Tag: "bad_signature", Message: "The signature does not fit the secret of the integration."}
)

// Signed fails when a delivery carries no signature at all, so that its body need not be read.
func (h Hook) Signed(header http.Header) error {
	if header.Get(signatureHeaders[h.integration.Provider]) == "" {
		return errUnsigned
	}
	return nil
}

// Verify fails unless the delivery was signed with the secret; comparing takes the same time whatever
// is wrong. GitHub and Bitbucket send an HMAC of the body, GitLab the secret itself.
func (h Hook) Verify(header http.Header, body []byte) error {
	given := header.Get(signatureHeaders[h.integration.Provider])
	if h.integration.Provider == tracker.GitLab {
		if subtle.ConstantTimeCompare([]byte(given), []byte(h.integration.Secret)) != 1 {
			return errForged
		}
		return nil
	}
	text, isSHA256 := strings.CutPrefix(given, "sha256=")
	sum, err := hex.DecodeString(text)
	mac := hmac.New(sha256.New, []byte(h.integration.Secret))
	mac.Write(body)
	if !isSHA256 || err != nil || !hmac.Equal(sum, mac.Sum(nil)) {
		return errForged
	}
	return nil
}
