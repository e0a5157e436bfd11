package webhook

import (
	"net/netip"
	"strings"
)

// Allowed tells whether a connection to the address would be made.
func Allowed(allow []netip.Prefix, address string) bool {
	network := "tcp4"
	if strings.HasPrefix(address, "[") {
		network = "tcp6"
	}
	return guard(allow).Safe(network, address, nil) == nil
}
