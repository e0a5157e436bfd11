package tracker

import (
	"net/url"
	"strconv"
	"time"
)

// Webhook tells an address of every change of the workspace, in their order. It is a cursor into the
// change log, not a queue: Position is the number of the last change that has been delivered.
type Webhook struct {
	ID        int64
	CreatorID UUID
	URL       string
	Secret    *string // signs what is sent
	Disabled  bool
	Position  int64
	// Attempts counts the failures since the last success, FailingSince is the time of the first.
	Attempts     int64
	FailingSince *Millis
	NextAt       Millis // no attempt before
	LeaseHolder  string // the node that delivers
	LeaseUntil   Millis
	CreatedAt    Time
	UpdatedAt    Time
}

// Millis is an instant in milliseconds since the Unix epoch.
type Millis int64

// MillisOf cuts t to whole milliseconds.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time is the instant in whole seconds.
func (m Millis) Time() Time { return Time(m / 1000) }

// After is the instant later by d.
func (m Millis) After(d time.Duration) Millis { return m + Millis(d.Milliseconds()) }

// MaxWebhooks is how many webhooks a workspace may have.
const MaxWebhooks = 50

const (
	firstPause = 250 * time.Millisecond
	maxPause   = 15 * time.Minute
	patience   = 24 * time.Hour
)

// Delivered notes that the receiver has taken everything up to the change with the number.
func (w *Webhook) Delivered(number int64) {
	w.Position, w.Attempts, w.FailingSince, w.NextAt = number, 0, nil, 0
}

// Failed notes a failure: the next attempt waits, longer each time, and a receiver that has failed
// for a day is given up.
func (w *Webhook) Failed(now Millis) {
	if w.FailingSince == nil {
		w.FailingSince = &now
	}
	pause := maxPause
	if w.Attempts < 20 {
		pause = min(firstPause<<w.Attempts, maxPause)
	}
	w.Attempts++
	w.NextAt = now.After(pause)
	w.Disabled = w.FailingSince.After(patience) <= now
}

// Switch disables or enables the webhook; it goes on where it stopped.
func (w *Webhook) Switch(disabled bool, now Time) {
	w.Disabled, w.UpdatedAt = disabled, now
	w.Delivered(w.Position)
}

// EntityID is the id as the audit log names it.
func (w *Webhook) EntityID() string { return strconv.FormatInt(w.ID, 10) }

// Host is the part of the address that holds no secrets.
func (w *Webhook) Host() string {
	u, err := url.Parse(w.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// CheckWebhookURL refuses addresses that nothing can be sent to.
func CheckWebhookURL(text string) error {
	if u, err := url.Parse(text); err != nil || u.Hostname() == "" {
		return Impossible("webhook_url", "is not a complete address")
	}
	return nil
}

// Delivery is one attempt to deliver a change to a webhook.
type Delivery struct {
	ID        UUID
	WebhookID int64
	Number    int64 // of the change
	Attempt   int64 // at this change; 0 when it was asked for by hand
	At        Millis
	Duration  int64  // milliseconds
	Status    *int64 // that the receiver answered with
	Answer    string // the beginning of what it answered
	Problem   string // why the change is not delivered; empty when it is
}

// DeliveriesKept is for how long deliveries can be looked at.
const DeliveriesKept = 7 * 24 * time.Hour
