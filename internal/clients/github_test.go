package clients_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

const payloads = "../../clients/github/node_modules/@octokit/webhooks-examples/*/index.json"

// TestGitHub sends every payload of GitHub's own examples. None is our fault or refused, whether it
// means anything or not, and all that can tell of a repository are understood.
func TestGitHub(t *testing.T) {
	t.Parallel()
	if os.Getenv(clientsVariable) == "" {
		t.Logf("%s is not set: no payloads are sent", clientsVariable)
		return
	}
	files, err := filepath.Glob(payloads)
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no payloads (`make deps` gets them): %v", err)
	}
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		made := s.Owner.Want(t, 201, "POST", "/api/app/vcs-integrations", `{"provider":"github","name":"Code"}`).Object(t)
		hook, secret := strings.TrimPrefix(made["hook_url"].(string), s.URL), made["secret"].(string)
		sent, understood := 0, map[string]int{}
		for _, file := range files {
			var events []struct {
				Name     string
				Examples []json.RawMessage
			}
			if err := json.Unmarshal(readFile(t, file), &events); err != nil {
				t.Fatal(err)
			}
			for _, event := range events {
				for _, body := range event.Examples {
					mac := hmac.New(sha256.New, []byte(secret))
					mac.Write(body)
					header := http.Header{}
					header.Set("X-GitHub-Event", event.Name)
					header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
					a := (&testkit.Client{URL: s.URL, Header: header}).Do(t, "POST", hook, string(body))
					sent++
					switch a.Status {
					case http.StatusOK:
						understood[event.Name]++
					case http.StatusAccepted:
					default:
						t.Errorf("%s: %d %s: %.300s", event.Name, a.Status, a.Text, body)
					}
				}
			}
		}
		for _, event := range []string{"check_run", "check_suite", "create", "delete", "pull_request", "pull_request_review", "push", "repository", "status"} {
			if understood[event] == 0 {
				t.Errorf("no %s is understood", event)
			}
		}
		if sent < 300 {
			t.Errorf("only %d payloads were sent", sent)
		}
		if list := s.Owner.Want(t, 200, "GET", "/repositories", nil).List(t); len(list) == 0 {
			t.Error("no repository is known")
		}
	})
}
