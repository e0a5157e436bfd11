package markdown_test

import (
	"strings"
	"testing"

	"milepost/internal/markdown"
)

// TestRoundTrip: Markdown comes back from its own HTML as it was, and so does what people write in an
// editor of HTML.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ html, markdown string }{
		{"<h1>One</h1>\n<h6>Six</h6>\n", "# One\n\n###### Six"},
		{"<p>A <strong>b</strong> <em>c</em> <del>d</del> <code>e_*f</code></p>\n", "A **b** *c* ~~d~~ `e_*f`"},
		{"<p>a<br>\nb</p>\n<hr>\n", "a  \nb\n\n* * *"},
		{"<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n<li>d</li>\n</ol>\n", "- a\n- b\n\n1. c\n2. d"},
		{"<ul>\n<li>\n<p>a</p>\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>\n", "- a\n  \n  1. b"},
		{"<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n<li><input disabled=\"\" type=\"checkbox\"> open</li>\n</ul>\n", "- [x] done\n- [ ] open"},
		{"<table>\n<thead>\n<tr>\n<th align=\"right\">A</th>\n<th align=\"center\">B</th>\n<th>C</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align=\"right\">1</td>\n<td align=\"center\">x|y</td>\n<td><code>p|q</code></td>\n</tr>\n</tbody>\n</table>\n",
			"| A | B | C |\n|--:|:-:|---|\n| 1 | x\\|y | `p\\|q` |"},
		{"<pre><code class=\"language-go\">if a &lt; b {\n\treturn &#34;[x](y)&#34;\n}\n</code></pre>\n", "```go\nif a < b {\n\treturn \"[x](y)\"\n}\n```"},
		{"<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n", "> a\n> \n> > b"},
		{"<p><a href=\"https://example.com/?a=1&amp;b=2\" title=\"t\" rel=\"nofollow\">link</a> <img src=\"https://example.com/i.png\" alt=\"alt\" title=\"t\"></p>\n",
			"[link](https://example.com/?a=1&b=2 \"t\") ![alt](https://example.com/i.png \"t\")"},
		{"<p><a href=\"milepost://members/x\" rel=\"nofollow\">@mia</a> <a href=\"mailto:a@example.com\" rel=\"nofollow\">mail</a></p>\n",
			"[@mia](milepost://members/x) [mail](mailto:a@example.com)"},
	} {
		if got := markdown.ToHTML(c.markdown); got != c.html {
			t.Errorf("ToHTML(%q)\n got %q\nwant %q", c.markdown, got, c.html)
		}
		if got, err := markdown.FromHTML(c.html); got != c.markdown || err != nil {
			t.Errorf("FromHTML(%q)\n got %q, %v\nwant %q", c.html, got, err, c.markdown)
		}
	}
}

func TestFromHTML(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{
		"": "",
		"<ul><li><label><input type='checkbox' checked>done</label></li></ul>":                         "- [x] done",
		"<table><tr><td><p>a</p></td><td>b<br>c</td></tr><tr><td>d</td></tr></table>":                  "| a | b  <br />c |\n|---|---|\n| d |  |",
		"<table><tr><th colspan=2 rowspan=3>a</th><th>b</th></tr></table>":                             "| a |  | b |\n|---|---|---|",
		"<table><tr><td>1</td><td>2</td></tr><tr><td><ul><li>q</li></ul></td></tr></table>":            "1\n\n2\n\n- q",
		"<p>a</p><script>alert(1)</script><style>b{}</style><!-- c --><iframe src=x></iframe><p>d</p>": "a\n\nd",
	} {
		if got, err := markdown.FromHTML(html); got != want || err != nil {
			t.Errorf("%s\n got %q, %v\nwant %q", html, got, err, want)
		}
	}
}

// TestPlainText: a text that means something in Markdown is shown as it is.
func TestPlainText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"# no heading", "no heading #", "1. no item", "12) no item", "- no item", "+ no item", "=", "*no* _emphasis_ ~~no~~ `code`", "[no](link)",
		"a|b", `back\slash`, "&amp;lt; &amp;copy; &amp;#65;", "AT&amp;T &amp; co", "snake_case_name", "&lt;b&gt;", "[ ] no task", "&gt; no quote", "!", "a * b", "----",
	} {
		source, err := markdown.FromHTML("<p>" + text + "</p>")
		if got := markdown.ToHTML(source); got != "<p>"+text+"</p>\n" || err != nil {
			t.Errorf("%q is %q in Markdown (%v) and shown as %q", text, source, err, got)
		}
	}
	if got, _ := markdown.FromHTML(`see!<a href="https://a">b</a>`); got != `see\![b](https://a)` {
		t.Errorf("the link after a mark is %q", got)
	}
	if got, _ := markdown.FromHTML("mp_aA9"); got != "mp_aA9" {
		t.Errorf("a token is kept as %q", got)
	}
}

func TestBreaks(t *testing.T) {
	t.Parallel()
	if strict, hard := markdown.ToHTML("a\nb"), markdown.ToHTMLWithBreaks("a\nb"); strict != "<p>a\nb</p>\n" || hard != "<p>a<br>\nb</p>\n" {
		t.Errorf("a line break is %q, a hard one %q", strict, hard)
	}
}

// hostile is what must never run, in HTML, which is also allowed in Markdown.
var hostile = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">x</a>`, `<a href=" java&#10;script:alert(1)">x</a>`,
	`<a href="JaVaScRiPt:alert(1)">x</a>`, `<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>`, `<a href="vbscript:x">x</a>`, `<p onclick="alert(1)">x</p>`,
	`<svg onload=alert(1)><script>alert(1)</script></svg>`, `<iframe src="https://example.com"></iframe>`, `<form action="https://example.com"><button>x</button></form>`,
	`<style>*{background:url(javascript:alert(1))}</style>`, `<p style="background:url(javascript:alert(1))">x</p>`, `<input type="image" src=x onerror=alert(1)>`,
	`<math><mtext><img src=x onerror=alert(1)></mtext></math>`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<meta http-equiv="refresh" content="0">`,
	`<base href="https://example.com">`, `<object data="x"></object>`, `<x onmouseover=alert(1)>x</x>`, `<input type="checkbox" onfocus=alert(1) autofocus>`,
}

var marks = []string{
	`[x](javascript:alert(1))`, `![x](javascript:alert(1))`, `<javascript:alert(1)>`, `[x](data:text/html,x)`, "[x]\n\n[x]: javascript:alert(1)",
	`[x](java&#115;cript:alert(1))`, "[x](java\tscript:alert(1))", `[x](https://a "\"onclick=alert(1)")`, "```x\" onclick=\"alert(1)\n```",
}

func TestNothingRuns(t *testing.T) {
	t.Parallel()
	for _, source := range append(marks, hostile...) {
		harmless(t, markdown.ToHTML(source), source)
		harmless(t, markdown.ToHTMLWithBreaks(source), source)
	}
	for _, source := range hostile {
		kept, err := markdown.FromHTML(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		}
		harmless(t, kept, source)
		harmless(t, markdown.ToHTML(kept), source)
	}
}

// harmless fails if an element or attribute of the HTML could run or fetch what it should not.
func harmless(t *testing.T, html, source string) {
	t.Helper()
	for element := range strings.SplitSeq(strings.ToLower(html), "<") {
		tag, _, isTag := strings.Cut(element, ">")
		if !isTag {
			continue
		}
		for _, bad := range []string{"script", "iframe", "svg", "style", "form", "button", "object", "meta", "base", "x ", "math", "noscript"} {
			if strings.HasPrefix(tag, bad) {
				t.Fatalf("%q gives %q", source, html)
			}
		}
		for _, bad := range []string{` on`, `="javascript:`, `="vbscript:`, `="data:`, ` style=`, ` src="x" type`, ` autofocus`} {
			if at := strings.Index(tag, bad); at >= 0 && strings.Count(tag[:at], `"`)%2 == 0 {
				t.Fatalf("%q gives %q", source, html)
			}
		}
	}
}
