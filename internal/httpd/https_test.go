package httpd

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
)

func proxies(t *testing.T, texts ...string) Rule {
	t.Helper()
	prefixes, err := ParsePrefixes(texts)
	if err != nil {
		t.Fatal(err)
	}
	return Rule{TrustedProxies: prefixes}
}

func requestFrom(remote string, header http.Header) *http.Request {
	req := httptest.NewRequest(http.MethodGet, "/", nil)
	req.RemoteAddr = remote
	for name, values := range header {
		for _, value := range values {
			req.Header.Add(name, value)
		}
	}
	return req
}

func TestSecure(t *testing.T) {
	t.Parallel()
	none := Rule{}
	proxied := proxies(t, "10.0.0.0/8", "127.0.0.1", "fd00::/8")
	mapped := proxies(t, "::ffff:192.168.0.0/112")
	const far, near = "203.0.113.9:4711", "127.0.0.1:4711"
	proto := func(values ...string) http.Header { return http.Header{"X-Forwarded-Proto": values} }

	for _, row := range []struct {
		name   string
		rule   Rule
		remote string
		tls    bool
		header http.Header
		want   bool
	}{
		{"TLS from anywhere", none, far, true, nil, true},
		{"TLS with forged headers", none, far, true, proto("http"), true},
		{"plain from far away", none, far, false, nil, false},
		{"plain from far away, forged proto", none, far, false, proto("https"), false},
		{"forged proto while other proxies are trusted", proxied, far, false, proto("https"), false},
		{"forged loopback in X-Forwarded-For", proxied, far, false, http.Header{"X-Forwarded-For": {"127.0.0.1"}}, false},

		{"loopback", none, near, false, nil, true},
		{"loopback, whole 127/8", none, "127.8.9.10:1", false, nil, true},
		{"loopback IPv6", none, "[::1]:4711", false, nil, true},
		{"loopback mapped into IPv6", none, "[::ffff:127.0.0.1]:4711", false, nil, true},
		{"loopback forwards, is not trusted", none, near, false, proto("https"), false},
		{"loopback with X-Forwarded-For", none, near, false, http.Header{"X-Forwarded-For": {"203.0.113.9"}}, false},
		{"loopback with X-Forwarded-Host", none, near, false, http.Header{"X-Forwarded-Host": {"a.example"}}, false},
		{"loopback with Forwarded", none, near, false, http.Header{"Forwarded": {"for=203.0.113.9"}}, false},
		{"loopback with X-Real-IP", none, near, false, http.Header{"X-Real-IP": {"203.0.113.9"}}, false},
		{"loopback with an empty forwarding header", none, near, false, http.Header{"X-Forwarded-For": {""}}, false},

		{"proxy says https", proxied, "10.1.2.3:80", false, proto("https"), true},
		{"proxy says HTTPS", proxied, "10.1.2.3:80", false, proto(" HTTPS "), true},
		{"proxy says http", proxied, "10.1.2.3:80", false, proto("http"), false},
		{"proxy says nothing", proxied, "10.1.2.3:80", false, nil, false},
		{"proxy says the empty word", proxied, "10.1.2.3:80", false, proto(""), false},
		{"proxy appends http to a forged https", proxied, "10.1.2.3:80", false, proto("https, http"), false},
		{"proxy adds a line after a forged one", proxied, "10.1.2.3:80", false, proto("https", "http"), false},
		{"first hop was plain", proxied, "10.1.2.3:80", false, proto("http, https"), false},
		{"every hop was https", proxied, "10.1.2.3:80", false, proto("https, https"), true},
		{"proxy uses only Forwarded", proxied, "10.1.2.3:80", false, http.Header{"Forwarded": {"proto=https"}}, false},
		{"proxy peer mapped into IPv6", proxied, "[::ffff:10.1.2.3]:80", false, proto("https"), true},
		{"proxy prefix mapped into IPv6", mapped, "192.168.7.7:80", false, proto("https"), true},
		{"outside a mapped prefix", mapped, "192.169.7.7:80", false, proto("https"), false},
		{"proxy IPv6 with a zone", proxied, "[fd00::1%eth0]:80", false, proto("https"), true},

		{"trusted loopback used directly", proxied, near, false, nil, true},
		{"trusted loopback says https", proxied, near, false, proto("https"), true},
		{"trusted loopback says http", proxied, near, false, proto("http"), false},
		{"trusted loopback forwards without proto", proxied, near, false, http.Header{"X-Forwarded-For": {"203.0.113.9"}}, false},

		{"no network address", proxied, "@", false, proto("https"), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			req := requestFrom(row.remote, row.header)
			if row.tls {
				req.TLS = &tls.ConnectionState{}
			}
			if got := row.rule.Secure(req); got != row.want {
				t.Errorf("Secure = %v, want %v", got, row.want)
			}
		})
	}
}

func TestClientAddr(t *testing.T) {
	t.Parallel()
	rule := proxies(t, "10.0.0.0/8", "::1")
	for _, row := range []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"peer alone", "203.0.113.9:1", nil, "203.0.113.9"},
		{"peer is no proxy, header forged", "203.0.113.9:1", []string{"198.51.100.1"}, "203.0.113.9"},
		{"peer mapped", "[::ffff:203.0.113.9]:1", nil, "203.0.113.9"},
		{"loopback is not trusted by itself", "127.0.0.1:1", []string{"198.51.100.1"}, "127.0.0.1"},
		{"one hop", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"proxy names nobody", "10.0.0.1:1", nil, "10.0.0.1"},
		{"client forged the left part", "10.0.0.1:1", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1"},
		{"client forged a trusted address", "10.0.0.1:1", []string{"10.9.9.9, 198.51.100.1"}, "198.51.100.1"},
		{"two proxies", "10.0.0.1:1", []string{"1.1.1.1, 198.51.100.1,10.0.0.2"}, "198.51.100.1"},
		{"two lines", "[::1]:1", []string{"1.1.1.1", "198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"only proxies", "10.0.0.1:1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage beside the proxy", "10.0.0.1:1", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
		{"garbage behind a second proxy", "10.0.0.1:1", []string{"<x>, 10.0.0.2"}, "10.0.0.2"},
		{"empty header", "10.0.0.1:1", []string{""}, "10.0.0.1"},
		{"with a port", "10.0.0.1:1", []string{"198.51.100.1:5555"}, "198.51.100.1"},
		{"IPv6", "10.0.0.1:1", []string{"2001:db8::7"}, "2001:db8::7"},
		{"IPv6 in brackets", "10.0.0.1:1", []string{"[2001:db8::7]"}, "2001:db8::7"},
		{"IPv6 with a port", "10.0.0.1:1", []string{"[2001:db8::7]:443"}, "2001:db8::7"},
		{"mapped proxy in the list", "10.0.0.1:1", []string{"198.51.100.1, ::ffff:10.0.0.2"}, "198.51.100.1"},
		{"no network address", "@", []string{"198.51.100.1"}, "invalid IP"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			req := requestFrom(row.remote, http.Header{"X-Forwarded-For": row.forwarded})
			if got := rule.ClientAddr(req).String(); got != row.want {
				t.Errorf("ClientAddr = %s, want %s", got, row.want)
			}
		})
	}
}

func TestParsePrefixesRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "10.0.0.0/33", "proxy.example", "10.0.0.0/8,::1"} {
		if prefixes, err := ParsePrefixes([]string{text}); err == nil {
			t.Errorf("ParsePrefixes(%q) = %v, want an error", text, prefixes)
		}
	}
}
