package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestEveryFlagIsAVariable: a server in a container is set up by its environment alone.
func TestEveryFlagIsAVariable(t *testing.T) {
	t.Parallel()
	parser := newParser(io.Discard, io.Discard, func(int) {})
	var flags []string
	err := kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && flag.Name != "help" {
			flags = append(flags, flag.Name)
			if want := "MILEPOST_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_")); !slices.Contains(flag.Envs, want) {
				t.Errorf("--%s can be given as %v, want %s", flag.Name, flag.Envs, want)
			}
			if flag.Help == "" {
				t.Errorf("--%s has no help", flag.Name)
			}
		}
		return next(nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"data", "database", "listen", "public-url", "rate-limit", "tls-cert", "tls-key", "acme-domain", "acme-url",
		"trusted-proxy", "cors-origin", "metrics-listen", "webhook-allow", "webhook-timeout", "leak-report-secret", "workspace", "member", "slug", "owner-name", "owner-email", "mention-name", "role"} {
		if !slices.Contains(flags, name) {
			t.Errorf("there is no --%s", name)
		}
	}
}
