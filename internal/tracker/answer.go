package tracker

// KeptAnswer is what a request with an Idempotency-Key was answered with, so that its repetition
// gets the same answer and does nothing.
type KeptAnswer struct {
	Key      string // hash of member, method, path and the client's key
	BodyHash string
	Body     string
	At       Time
}
