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
