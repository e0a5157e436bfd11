package httpd

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// Rule judges whether a request came over a protected connection, and from where. It trusts a request header only when
// the peer that holds the connection is a trusted proxy.
type Rule struct {
	TrustedProxies []netip.Prefix
}

// ParsePrefixes reads networks in CIDR form; a bare address stands for itself alone.
func ParsePrefixes(texts []string) ([]netip.Prefix, error) {
	prefixes := make([]netip.Prefix, 0, len(texts))
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if addr, err := netip.ParseAddr(text); err == nil {
			addr = addr.Unmap().WithZone("")
			prefixes = append(prefixes, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", text)
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

// Secure reports whether the request may be served: it arrived over TLS, through a trusted proxy that received it over
// TLS, or straight from this machine.
func (r Rule) Secure(req *http.Request) bool {
	return r.encrypted(req) || local(req)
}

func (r Rule) encrypted(req *http.Request) bool {
	if req.TLS != nil {
		return true
	}
	return r.trusts(peer(req)) && forwardedOverTLS(req.Header)
}

// forwardedOverTLS wants https of every hop that is listed, not only of the last: a proxy that appends then leaves
// nothing for a client to gain by sending the header itself, and one plain hop among several makes the way plain.
func forwardedOverTLS(h http.Header) bool {
	values := h.Values("X-Forwarded-Proto")
	for _, value := range values {
		for proto := range strings.SplitSeq(value, ",") {
			if !strings.EqualFold(strings.TrimSpace(proto), "https") {
				return false
			}
		}
	}
	return len(values) > 0
}

// local reports whether the request began on this machine: a loopback peer that forwards for nobody.
func local(req *http.Request) bool {
	if !peer(req).IsLoopback() {
		return false
	}
	for name := range req.Header {
		if name == "Forwarded" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return false
		}
	}
	return true
}

// ClientAddr is the address that a log line or a limit should name: the right-most address of X-Forwarded-For that is
// no trusted proxy when the peer is one, else the peer. Whatever stands left of it was written by the client. It is the
// zero Addr when the connection has no network address.
func (r Rule) ClientAddr(req *http.Request) netip.Addr {
	client := peer(req)
	if !r.trusts(client) {
		return client
	}
	lines := req.Header.Values("X-Forwarded-For")
	for i := len(lines) - 1; i >= 0; i-- {
		for rest, more := lines[i], true; more; {
			hop := rest
			comma := strings.LastIndexByte(rest, ',')
			if more = comma >= 0; more {
				rest, hop = rest[:comma], rest[comma+1:]
			}
			addr, ok := parseHop(strings.TrimSpace(hop))
			if !ok {
				return client
			}
			if client = addr; !r.trusts(client) {
				return client
			}
		}
	}
	return client
}

func (r Rule) trusts(addr netip.Addr) bool {
	for _, prefix := range r.TrustedProxies {
		if prefix.Addr().Is4In6() && prefix.Bits() >= 96 {
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

func peer(req *http.Request) netip.Addr {
	addr, _ := parseHop(req.RemoteAddr)
	return addr
}

// parseHop reads an address with or without a port, so that one host has one name: IPv4 in IPv6 clothes is IPv4, and
// a zone (which no prefix could match) is dropped.
func parseHop(text string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		withPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), true
}
