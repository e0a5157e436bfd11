package query_test

import (
	"strings"
	"testing"

	"milepost/internal/query"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" ?! ", ""},
		{"Hello, World", "hello|world"},
		{"foo_bar-baz.qux", "foo|bar|baz|qux"},
		{"it's v2.10", "it|s|v2|10"},
		{"Crème BRÛLÉE", "creme|brulee"},
		{"Cre\u0300me", "creme"},
		{"Straße ŁÓDŹ", "strasse|łodz"},
		{"İstanbul ısı", "istanbul|ısı"},
		{"ﬁx ① Ⅻ ｆｕｌｌ", "fix|1|xii|full"},
		{"Ёлка ΆΣ άς", "елка|ασ|ασ"},
		{"ガ カ", "ガ|カ"},
		{"東京タワー", "東|京|タ|ワ|ー"},
		{"v2の東a1", "v2|の|東|a1"},
		{"한국어", "한국어"},
		{"हिन्दी", "हिन्दी"},
		{"مُحَمَّد", "محمد"},
		{"a🚀b", "a|b"},
		{"\xff x", "x"},
		{strings.Repeat("a", 64), strings.Repeat("a", 64)},
		{strings.Repeat("a", 65) + " b", strings.Repeat("a", 64) + "|b"},
	} {
		if got := strings.Join(query.Words(c.text), "|"); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestKey(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"  Ready \t for  Dev ", "ready for dev"},
		{"C++", "c++"},
		{"Café", "cafe"},
	} {
		if got := query.Key(c.name); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What is folded stays as it is when it is folded again: the index can be searched for its words.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"Crème BRÛLÉE", "İstanbul", "東京タワー", "हिन्दी", "ﬁx ①", "Ꮳ ꮳ", "\u0345 ᾳ", "ϓ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := query.Words(text)
		for _, w := range words {
			if again := query.Words(w); len(again) != 1 || again[0] != w {
				t.Fatalf("%q has the word %q, which has the words %q", text, w, again)
			}
			if key := query.Key(w); key != w {
				t.Fatalf("the key of the word %q is %q", w, key)
			}
		}
		if key := query.Key(text); query.Key(key) != key {
			t.Fatalf("the key %q of %q has another key, %q", key, text, query.Key(key))
		}
	})
}
