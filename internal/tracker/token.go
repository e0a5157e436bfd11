package tracker

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"io"
	"regexp"
	"strings"
)

// Token opens one workspace as one member. Only its hash is kept; the text is shown once.
type Token struct {
	ID         UUID
	Member     UUID
	Name       string
	Hash       string
	ReadOnly   bool
	CreatedAt  Time
	ExpiresAt  *Time
	LastUsedAt *Time
	RevokedAt  *Time
}

// UsageInterval is how many seconds the last-used time of a token may be behind.
const UsageInterval = 60

// Live reports whether the token still opens anything.
func (t Token) Live(now Time) bool {
	return t.RevokedAt == nil && (t.ExpiresAt == nil || now < *t.ExpiresAt)
}

const (
	tokenPrefix  = "mp_"
	tokenRandom  = 36
	tokenCheck   = 6
	base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

var tokenForm = regexp.MustCompile(`mp_[0-9A-Za-z]{42}`)

// NewToken makes the text of a token: mp_, 36 random characters and a checksum of 6.
func NewToken(random io.Reader) (string, error) {
	text := make([]byte, 0, tokenRandom)
	var b [64]byte
	for len(text) < tokenRandom {
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", err
		}
		for _, c := range b {
			// 248 is the largest multiple of 62 in a byte: above it, low digits would be likelier.
			if c < 248 && len(text) < tokenRandom {
				text = append(text, base62Digits[c%62])
			}
		}
	}
	return tokenPrefix + string(text) + checksum(string(text)), nil
}

// WellFormed reports whether the checksum of a token's text is right, so that a mistyped token
// costs no query.
func WellFormed(token string) bool {
	text, ok := strings.CutPrefix(token, tokenPrefix)
	return ok && len(text) == tokenRandom+tokenCheck && checksum(text[:tokenRandom]) == text[tokenRandom:]
}

// HashToken is the form in which a token is stored and looked up.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// FindTokens lists the well-formed tokens that stand anywhere in a text.
func FindTokens(text string) []string {
	if !strings.Contains(text, tokenPrefix) {
		return nil
	}
	var found []string
	for _, t := range tokenForm.FindAllString(text, -1) {
		if WellFormed(t) {
			found = append(found, t)
		}
	}
	return found
}

func checksum(text string) string {
	n := crc32.ChecksumIEEE([]byte(text))
	var b [tokenCheck]byte
	for i := tokenCheck - 1; i >= 0; i-- {
		b[i] = base62Digits[n%62]
		n /= 62
	}
	return string(b[:])
}
