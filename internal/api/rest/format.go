package rest

import (
	"regexp"

	"milepost/internal/tracker"
)

// A format is a named form of strings that a tag can ask for.
type format struct {
	reason  string // told to the client
	pattern string // published in the OpenAPI document, where a pattern says it all
	match   func(string) bool
	lenient bool // what does not match is ignored, not refused
}

func patternFormat(reason, pattern string) *format {
	return &format{reason: reason, pattern: pattern, match: regexp.MustCompile(pattern).MatchString}
}

var formats = map[string]*format{
	"color":     patternFormat("must be a colour of the form #rrggbb", `^#[a-fA-F0-9]{6}$`),
	"anycolor":  {reason: "must be a colour", match: isAnyColor, lenient: true},
	"mention":   patternFormat("must hold only a-z, 0-9, '-', '_' and '.'", tracker.MentionPattern),
	"slug":      patternFormat("must hold only a-z, 0-9 and '-'", tracker.SlugPattern),
	"weburl":    patternFormat("must be an address that starts with http:// or https://", `^https?://.+$`),
	"email":     patternFormat("must be an e-mail address", tracker.EmailPattern),
	"utcoffset": patternFormat("must be an offset such as +02:00", `^[+-](0\d|1[0-4]):[0-5]\d$`),
	"decimal":   patternFormat("must be a decimal number with at most 13 digits and 2 decimals", tracker.DecimalPattern),
	"digits":    patternFormat("must be a number of at most 18 digits", `^[0-9]{1,18}$`),
	"date":      {reason: "must be a date such as 2026-01-31", pattern: `^\d{4}-\d{2}-\d{2}`, match: tracker.IsDate},
}

func isAnyColor(text string) bool {
	const longest = 64
	return len(text) <= longest && tracker.IsColor(text)
}
