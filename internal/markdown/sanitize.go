package markdown

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

var policy = newPolicy()

// newPolicy keeps what people write in a text and nothing that runs: no scripts, no event handlers,
// no address but those of the web, of mail and of members and groups.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowURLSchemes("http", "https", "mailto", "milepost", "shortcutapp")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[a-zA-Z0-9+#_-]{1,32}$`)).OnElements("code")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").Matching(regexp.MustCompile(`^(|checked|disabled)$`)).OnElements("input")
	return p
}
