package tracker

import (
	"regexp"
	"slices"
	"strings"
)

var mentionLink = regexp.MustCompile(`(?i)\[@[^\]\n]*\]\((?:milepost|shortcutapp)://(members|groups)/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)`)

// Mentions lists the members and groups that a text mentions by a link such as
// [@name](milepost://members/<uuid>), each once, in the order of their first mention.
func Mentions(text string) (members, groups []UUID) {
	if !strings.Contains(text, "[@") {
		return nil, nil
	}
	for _, m := range mentionLink.FindAllStringSubmatch(text, -1) {
		id := UUID(strings.ToLower(m[2]))
		list := &members
		if strings.EqualFold(m[1], "groups") {
			list = &groups
		}
		if !slices.Contains(*list, id) {
			*list = append(*list, id)
		}
	}
	return members, groups
}

var bareMention = regexp.MustCompile(`(?i)(?:^|[^a-z0-9._@/-])@([a-z0-9._-]+)`)

// BareMentions lists, for each @name of a text outside such links, the mention names that it may
// stand for, the longest first: what ends a name may be the end of the sentence instead.
func BareMentions(text string) [][]string {
	if !strings.Contains(text, "@") {
		return nil
	}
	var out [][]string
	for _, m := range bareMention.FindAllStringSubmatch(mentionLink.ReplaceAllString(text, " "), -1) {
		var names []string
		for name := m[1]; name != ""; name = name[:len(name)-1] {
			names = append(names, name)
			if !strings.ContainsRune("._-", rune(name[len(name)-1])) {
				break
			}
		}
		out = append(out, names)
	}
	return out
}
