package tracker

import (
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func newTokens(t *testing.T, n int) []string {
	t.Helper()
	random := rand.New(rand.NewSource(1))
	var out []string
	for range n {
		token, err := NewToken(random)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, token)
	}
	return out
}

func TestTokenForm(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^mp_[0-9A-Za-z]{42}$`)
	tokens := newTokens(t, 2000)
	count := map[rune]int{}
	for _, token := range tokens {
		if !form.MatchString(token) || !WellFormed(token) {
			t.Fatalf("%q is not of the form", token)
		}
		for _, c := range token[3:39] {
			count[c]++
		}
	}
	unique := slices.Clone(tokens)
	slices.Sort(unique)
	if len(slices.Compact(unique)) != len(tokens) {
		t.Error("a token was drawn twice")
	}
	// A remainder of 256 by 62 that is not dropped would make eight digits a quarter likelier.
	expected := float64(len(tokens)*36) / 62
	for _, c := range base62Digits {
		if n := float64(count[c]); n < 0.87*expected || n > 1.13*expected {
			t.Errorf("%c was drawn %.0f times, expected about %.0f", c, n, expected)
		}
	}
	if len(count) != 62 {
		t.Errorf("%d different digits were drawn", len(count))
	}
	if _, err := NewToken(strings.NewReader("short")); err == nil {
		t.Error("a token was made without randomness")
	}
}

func TestTokenChecksum(t *testing.T) {
	t.Parallel()
	token := newTokens(t, 1)[0]
	for i := range token {
		for _, c := range []byte("0aZ_") {
			changed := token[:i] + string(c) + token[i+1:]
			if changed != token && WellFormed(changed) {
				t.Errorf("%q passes for %q", changed, token)
			}
		}
	}
	for _, bad := range []string{"", "mp_", token[:44], token + "0", " " + token, strings.ToUpper(token), "MP_" + token[3:], token[3:]} {
		if WellFormed(bad) {
			t.Errorf("%q is well formed", bad)
		}
	}
	if swapped := token[:10] + token[11:12] + token[10:11] + token[12:]; swapped != token && WellFormed(swapped) {
		t.Error("two characters in the wrong order pass")
	}
}

func TestHashToken(t *testing.T) {
	t.Parallel()
	// sha256 of the three letters, from the standard's own examples.
	if got := HashToken("abc"); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Error(got)
	}
}

func TestFindTokens(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t, 3)
	a, b := tokens[0], tokens[1]
	mistyped := a[:44] + string(a[44]^1)
	for text, want := range map[string][]string{
		"":                                  nil,
		"mp_ is how tokens start":           nil,
		a:                                   {a},
		"use " + a + ", not " + b + ".":     {a, b},
		"curl -H 'Service-Token:" + a + "'": {a},
		"https://example.org/?token=" + a:   {a},
		"x" + a + "y":                       {a},
		"mp_abc" + a:                        {a},
		"mp_mp_" + a:                        {a},
		mistyped:                            nil,
		mistyped + " " + b:                  {b},
		strings.Repeat("mp_", 1000) + a:     {a},
		"ünïcödé\u0000" + a + "\U0001F600" + b: {a, b},
		a[:20] + "\n" + a[20:]:                 nil,
	} {
		if got := FindTokens(text); !slices.Equal(got, want) {
			t.Errorf("FindTokens(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestTokenLive(t *testing.T) {
	t.Parallel()
	at := func(n Time) *Time { return &n }
	for _, c := range []struct {
		token Token
		live  bool
	}{
		{Token{}, true}, {Token{RevokedAt: at(50)}, false}, {Token{RevokedAt: at(200)}, false},
		{Token{ExpiresAt: at(101)}, true}, {Token{ExpiresAt: at(100)}, false}, {Token{ExpiresAt: at(99)}, false},
	} {
		if got := c.token.Live(100); got != c.live {
			t.Errorf("%+v at 100: live is %v", c.token, got)
		}
	}
}
