package api_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// A vcsStep is a delivery in testdata/vcs, in which STORY stands for the id of a story.
type vcsStep struct {
	Event   string
	Payload json.RawMessage
}

var vcsHeaders = map[string]struct{ event, delivery, signature string }{
	"github":    {"X-GitHub-Event", "X-GitHub-Delivery", "X-Hub-Signature-256"},
	"gitlab":    {"X-Gitlab-Event", "Idempotency-Key", "X-Gitlab-Token"},
	"bitbucket": {"X-Event-Key", "X-Request-UUID", "X-Hub-Signature"},
}

// vcsSender speaks as a version-control service to one integration.
type vcsSender struct {
	s                      *testkit.Server
	provider, path, secret string
	integration            int64
	steps                  map[string]vcsStep
	sent                   int
	story                  int64
}

// newVCSSender makes an integration with the rules, a JSON array, and a service that speaks of the story.
func newVCSSender(t *testing.T, s *testkit.Server, as *testkit.Client, provider, rules string, story int64) *vcsSender {
	t.Helper()
	made := as.Want(t, 201, "POST", "/api/app/vcs-integrations", fmt.Sprintf(`{"provider":%q,"name":"Code","rules":%s}`, provider, rules))
	text, err := os.ReadFile("testdata/vcs/" + provider + ".json")
	if err != nil {
		t.Fatal(err)
	}
	v := &vcsSender{s: s, provider: provider, secret: made.Object(t)["secret"].(string), integration: made.ID(t), story: story}
	v.path = strings.TrimPrefix(made.Object(t)["hook_url"].(string), s.URL)
	if err := json.Unmarshal(text, &v.steps); err != nil {
		t.Fatal(err)
	}
	return v
}

// text is the payload of a step about the story; the pairs are replaced in it.
func (v *vcsSender) text(t *testing.T, step string, replace ...string) (event, payload string) {
	t.Helper()
	of, ok := v.steps[step]
	if !ok {
		t.Fatalf("%s has no step %s", v.provider, step)
	}
	replace = append(replace, "STORY", fmt.Sprint(v.story))
	return of.Event, strings.NewReplacer(replace...).Replace(string(of.Payload))
}

// tell sends a step as a delivery of its own and fails unless it is received.
func (v *vcsSender) tell(t *testing.T, step string, replace ...string) {
	t.Helper()
	event, payload := v.text(t, step, replace...)
	v.want(t, 200, event, payload)
}

func (v *vcsSender) want(t *testing.T, status int, event, payload string) testkit.Answer {
	t.Helper()
	v.sent++
	a := v.send(t, event, fmt.Sprintf("delivery-%d", v.sent), payload)
	if a.Status != status {
		t.Fatalf("%s %s: %d, want %d: %s", v.provider, event, a.Status, status, a.Text)
	}
	return a
}

// send signs and sends a delivery.
func (v *vcsSender) send(t *testing.T, event, delivery, payload string) testkit.Answer {
	t.Helper()
	return v.sendSigned(t, event, delivery, v.sign(payload), payload)
}

func (v *vcsSender) sign(payload string) string {
	if v.provider == "gitlab" {
		return v.secret
	}
	mac := hmac.New(sha256.New, []byte(v.secret))
	mac.Write([]byte(payload))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func (v *vcsSender) sendSigned(t *testing.T, event, delivery, signature, payload string) testkit.Answer {
	t.Helper()
	names := vcsHeaders[v.provider]
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range map[string]string{names.event: event, names.delivery: delivery, names.signature: signature} {
		if value != "" {
			header.Set(name, value)
		}
	}
	c := &testkit.Client{URL: v.s.URL, Header: header}
	return c.Do(t, "POST", v.path, payload)
}

// shows fails unless the story holds what the JSON text says.
func (v *vcsSender) shows(t *testing.T, as *testkit.Client, what, want string) {
	t.Helper()
	testkit.Run(t, as, []testkit.Case{{Name: v.provider + " " + what, Method: "GET", Path: storyPath(v.story), Status: 200, Want: want}})
}
