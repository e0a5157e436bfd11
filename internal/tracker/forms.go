package tracker

import (
	"regexp"
	"strings"
)

// Forms of short texts, shared by the API and the command line.
const (
	MentionPattern = `^[a-z0-9._-]{1,63}$`
	SlugPattern    = `^[a-z0-9]+(-[a-z0-9]+)*$`
	EmailPattern   = `^[^\s@]+@[^\s@]+$`
)

var (
	mentionForm = regexp.MustCompile(MentionPattern)
	slugForm    = regexp.MustCompile(SlugPattern)
	emailForm   = regexp.MustCompile(EmailPattern)
	notMention  = regexp.MustCompile(`[^a-z0-9._-]+`)
)

func IsMention(s string) bool { return mentionForm.MatchString(s) }
func IsSlug(s string) bool    { return slugForm.MatchString(s) && len(s) <= 63 }
func IsEmail(s string) bool   { return emailForm.MatchString(s) && len(s) <= 254 }

// MentionOf makes a mention name out of a person's name.
func MentionOf(name string) string {
	mention := strings.Trim(notMention.ReplaceAllString(Fold(name), "-"), "-")
	if mention == "" {
		return "owner"
	}
	return mention[:min(len(mention), 63)]
}
