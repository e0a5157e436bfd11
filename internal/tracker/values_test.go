package tracker

import (
	"strings"
	"testing"
)

func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01-31T12:00:00Z":           "2026-01-31T12:00:00Z",
		"2026-01-31T12:00:00+02:00":      "2026-01-31T10:00:00Z",
		"2026-01-31T00:30:00-01:30":      "2026-01-31T02:00:00Z",
		"2026-01-31T12:00:00.999Z":       "2026-01-31T12:00:00Z",
		"2026-01-31T12:00:00.123456789Z": "2026-01-31T12:00:00Z",
		"1969-12-31T23:59:59.5Z":         "1969-12-31T23:59:59Z",
		"2024-02-29T00:00:00Z":           "2024-02-29T00:00:00Z",
		"0001-01-01T00:00:00Z":           "0001-01-01T00:00:00Z",
		"9999-12-31T23:59:59Z":           "9999-12-31T23:59:59Z",
	} {
		got, err := ParseTime(text)
		if err != nil || got.String() != want {
			t.Errorf("ParseTime(%q) = %v, %v, want %s", text, got, err, want)
		}
		if again, err := ParseTime(got.String()); err != nil || again != got {
			t.Errorf("%v is read back as %v, %v", got, again, err)
		}
	}
	for _, text := range []string{
		"", "2026-01-31", "12:00:00Z", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00", "2026-01-31T12:00Z", "2026-02-30T12:00:00Z",
		"2026-13-01T12:00:00Z", "2026-01-31T25:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z", "2026-01-31T1:00:00Z", "2026-01-31T12:00:00,5Z",
		"2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+0200", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
		"10000-01-01T00:00:00Z", "1700000000", "tomorrow", "2026-01-31T12:00:00Z ",
	} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("ParseTime(%q) = %v", text, got)
		}
	}
}

func TestIsDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"2026-01-31": true, "2024-02-29": true, "2026-01-31T12:00:00Z": true,
		"2026-02-29": false, "2026-1-31": false, "31.01.2026": false, "": false, "2026-01-31T": false, "2026-01-31x": false,
	} {
		if IsDate(text) != want {
			t.Errorf("IsDate(%q) is %v", text, !want)
		}
	}
}

func TestParseUUID(t *testing.T) {
	t.Parallel()
	const id = "0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	for _, text := range []string{id, strings.ToUpper(id)} {
		if got, ok := ParseUUID(text); !ok || got != id {
			t.Errorf("ParseUUID(%q) = %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "1", id[:35], id + "0", "{" + id[1:35] + "}", strings.ReplaceAll(id, "-", ""), strings.Replace(id, "a", "g", 1),
		strings.Replace(id, "-", "_", 1), "0190a1b2c-3d4-7e5f-8a6b-7c8d9e0f1a2b", "urn:uuid:" + id, strings.Replace(id, "0190", "019é", 1)[:36],
	} {
		if got, ok := ParseUUID(text); ok {
			t.Errorf("ParseUUID(%q) = %q", text, got)
		}
	}
}

func TestOpt(t *testing.T) {
	t.Parallel()
	old := "old"
	for name, c := range map[string]struct {
		opt            Opt[string]
		get            bool
		or             string
		ptr            *string
		applied        string
		appliedPointer *string
	}{
		"absent": {Opt[string]{}, false, "default", nil, old, &old},
		"null":   {Opt[string]{State: Null}, false, "default", nil, old, nil},
		"given":  {Some("new"), true, "new", ptr("new"), "new", ptr("new")},
		"zero":   {Some(""), true, "", ptr(""), "", ptr("")},
	} {
		value, pointer := old, &old
		c.opt.Apply(&value)
		c.opt.ApplyPtr(&pointer)
		if _, ok := c.opt.Get(); ok != c.get || c.opt.Or("default") != c.or || show(c.opt.Ptr()) != show(c.ptr) || value != c.applied || show(pointer) != show(c.appliedPointer) {
			t.Errorf("%s: %v, %q, %s; applied %q, %s", name, ok, c.opt.Or("default"), show(c.opt.Ptr()), value, show(pointer))
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestForms(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for _, c := range []struct {
		name  string
		fits  func(string) bool
		good  []string
		wrong []string
	}{
		{"mention", IsMention, []string{"a", "a.b_c-1", long}, []string{"", "A", "ä", "a b", "@a", long + "a", "a\n"}},
		{"slug", IsSlug, []string{"a", "a-b", "1-2-3", long}, []string{"", "-a", "a-", "a--b", "A", "a_b", long + "a", "a\n"}},
		{"e-mail", IsEmail, []string{"a@b", "a.b+c@d.example", strings.Repeat("a", 252) + "@b"}, []string{"", "a", "@b", "a@", "a@b@c", "a b@c", strings.Repeat("a", 253) + "@b"}},
	} {
		for _, text := range c.good {
			if !c.fits(text) {
				t.Errorf("%q is no %s", text, c.name)
			}
		}
		for _, text := range c.wrong {
			if c.fits(text) {
				t.Errorf("%q is a %s", text, c.name)
			}
		}
	}
	for name, want := range map[string]string{
		"Grace Hopper": "grace-hopper", "O'Neil": "o-neil", "J. R. R.": "j.-r.-r.", "Zoë": "zo", "愛": "owner", "": "owner",
		strings.Repeat("x", 100): strings.Repeat("x", 63),
	} {
		if got := MentionOf(name); got != want || !IsMention(got) {
			t.Errorf("MentionOf(%q) = %q, want %q", name, got, want)
		}
	}
}
