package tracker

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// StoryLinks finds the stories of one workspace in texts: sc-123, ch123, and the addresses of their
// pages, here and at the hosted service.
type StoryLinks struct{ page *regexp.Regexp }

// maxMentions is how many stories one text can name.
const maxMentions = 50

var (
	storyMention = regexp.MustCompile(`(?i)(?:sc-|ch)([0-9]{1,18})`)
	bracketed    = regexp.MustCompile(`\[[^\[\]]{1,200}\]`)
)

// NewStoryLinks knows the pages under the base address for the workspace with the slug.
func NewStoryLinks(base, slug string) StoryLinks {
	return StoryLinks{regexp.MustCompile(`(?i)(?:` + regexp.QuoteMeta(base) + `|https://app\.(?:shortcut\.com|clubhouse\.io))/` +
		regexp.QuoteMeta(slug) + `/story/([0-9]{1,18})`)}
}

// In lists the ids that the texts name, each once.
func (l StoryLinks) In(texts ...string) []int64 {
	var ids []int64
	for _, text := range texts {
		for _, form := range []*regexp.Regexp{storyMention, l.page} {
			ids = append(ids, idsIn(form, text)...)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), maxMentions)]
}

// idsIn lists the ids of the matches that are words of their own.
func idsIn(form *regexp.Regexp, text string) []int64 {
	var ids []int64
	for _, at := range form.FindAllStringSubmatchIndex(text, maxMentions) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if id, err := strconv.ParseInt(text[at[2]:at[3]], 10, 64); err == nil && id > 0 && !inWord(before) && !inWord(after) {
			ids = append(ids, id)
		}
	}
	return ids
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Moves lists what a commit message asks for: [verb sc-123], also with several stories.
func (l StoryLinks) Moves(message string) []CommitMove {
	var moves []CommitMove
	for _, part := range bracketed.FindAllString(message, maxMentions) {
		part = strings.Trim(part, "[]")
		at := storyMention.FindStringIndex(part)
		if at == nil {
			continue
		}
		verb := strings.TrimSpace(strings.TrimRight(part[:at[0]], " :"))
		if verb == "" {
			continue
		}
		for _, id := range idsIn(storyMention, part) {
			moves = append(moves, CommitMove{Verb: verb, StoryID: id})
		}
	}
	return moves
}

const maxBranchSlug = 50

// BranchName is the name that is proposed for a branch in which somebody works on the story.
func (s *Story) BranchName(mention string) string {
	var slug strings.Builder
	gap := false
	for _, r := range strings.ToLower(s.Name) {
		if !inWord(r) {
			gap = slug.Len() > 0
			continue
		}
		if slug.Len()+utf8.RuneLen(r)+1 > maxBranchSlug {
			break
		}
		if gap {
			slug.WriteByte('-')
		}
		gap = false
		slug.WriteRune(r)
	}
	name := mention + "/sc-" + strconv.FormatInt(s.ID, 10)
	if slug.Len() > 0 {
		name += "/" + slug.String()
	}
	return name
}
