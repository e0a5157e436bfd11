package webhook

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"milepost/internal/activity"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

const (
	// workers is how many webhooks a node delivers to at the same time.
	workers = 256
	// A worker reads so many changes at once, and so often before others have their turn.
	pageSize, pagesInTurn = 20, 10
	// lookEvery is how often a node looks for what other nodes have changed and for pauses that end.
	lookEvery = 250 * time.Millisecond
	// forgetEvery is how often old deliveries are deleted.
	forgetEvery = time.Hour
)

// Config is what a Dispatcher is made of.
type Config struct {
	Service   *service.Service
	Sender    *Sender
	PublicURL string // the base of every link
	Node      string // a name that no other node has
	Log       *slog.Logger
	Now       func() time.Time
}

// Dispatcher delivers what is due, each webhook's changes in order. A receiver that is slow or dead
// keeps one worker, and no writer and no other webhook waiting.
type Dispatcher struct {
	Config
	node     service.Node
	outcomes *prometheus.CounterVec

	slots   chan struct{}
	wake    chan struct{}
	running sync.WaitGroup
	mu      sync.Mutex
	busy    map[hookKey]bool
	forgot  time.Time // when old deliveries were last deleted
	failing bool      // webhooks could not be looked for the last time
}

type hookKey struct {
	workspace tracker.UUID
	id        int64
}

// New makes a Dispatcher that counts what it does in the registry.
func New(c Config, registry prometheus.Registerer) *Dispatcher {
	d := &Dispatcher{
		Config: c, slots: make(chan struct{}, workers), wake: make(chan struct{}, 1), busy: map[hookKey]bool{},
		// An attempt never outlasts a lease of which more than half is left.
		node: service.Node{Name: c.Node, Lease: 2*c.Sender.timeout + 2*time.Second},
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "milepost_webhook_deliveries_total",
			Help: "Attempts to deliver a change to a webhook, by outcome.",
		}, []string{"outcome"}),
	}
	registry.MustRegister(d.outcomes, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "milepost_webhook_lag_changes",
		Help: "How many changes the working webhook that is furthest behind has yet to deliver.",
	}, d.lag))
	return d
}

func (d *Dispatcher) lag() float64 {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	n, err := d.Service.WebhookLag(ctx)
	if err != nil {
		d.Log.Warn("the lag of webhooks could not be read", "error", err)
	}
	return float64(n)
}

// Run delivers until ctx ends, then lets the attempts under way end, too.
func (d *Dispatcher) Run(ctx context.Context) {
	changes := d.Service.WatchAll()
	defer changes.Stop()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		d.start(ctx)
		select {
		case <-changes.Changed:
		case <-d.wake:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	d.running.Wait()
	if err := d.Service.ReleaseWebhooks(context.WithoutCancel(ctx), d.node); err != nil {
		d.Log.Warn("webhooks could not be left to other nodes", "error", err)
	}
}

// Round delivers what is due now and returns when that is done.
func (d *Dispatcher) Round(ctx context.Context) {
	d.start(ctx)
	d.running.Wait()
}

// start gives each webhook that is due to a worker, as long as there are any.
func (d *Dispatcher) start(ctx context.Context) {
	d.forget(ctx)
	due, err := d.Service.DueWebhooks(ctx, d.node, workers)
	if err != nil && !d.failing && ctx.Err() == nil {
		d.Log.Warn("webhooks could not be looked for", "error", err)
	}
	d.failing = err != nil
	for _, hook := range due {
		key := hookKey{hook.Workspace, hook.ID}
		if !d.take(key) {
			continue
		}
		d.running.Go(func() {
			defer d.leave(key)
			err := d.deliver(ctx, hook)
			if err != nil && !errors.Is(err, service.ErrLeased) && ctx.Err() == nil {
				d.Log.Warn("a webhook could not be delivered to", "workspace", hook.Slug, "webhook", hook.ID, "error", err)
			}
		})
	}
}

// take reserves a worker for the webhook, unless one has it or none is free.
func (d *Dispatcher) take(key hookKey) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy[key] {
		return false
	}
	select {
	case d.slots <- struct{}{}:
		d.busy[key] = true
		return true
	default:
		return false
	}
}

// leave frees the worker, and has somebody look whether the webhook is due again.
func (d *Dispatcher) leave(key hookKey) {
	d.mu.Lock()
	delete(d.busy, key)
	d.mu.Unlock()
	<-d.slots
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// forget deletes old deliveries now and then.
func (d *Dispatcher) forget(ctx context.Context) {
	if now := d.Now(); now.Sub(d.forgot) >= forgetEvery {
		d.forgot = now
		if err := d.Service.ForgetDeliveries(ctx); err != nil {
			d.Log.Warn("old deliveries could not be deleted", "error", err)
		}
	}
}

// deliver sends a webhook what it has not been told of, for one turn or until something fails.
func (d *Dispatcher) deliver(ctx context.Context, due service.DueWebhook) error {
	by := tracker.Actor{Workspace: due.Workspace, Slug: due.Slug, Name: "webhook", Via: "webhook"}
	hook := due.Webhook
	for range pagesInTurn {
		if err := d.hold(ctx, by, &hook); err != nil {
			return err
		}
		events, err := d.events(ctx, by, hook.Position, pageSize)
		if err != nil || len(events) == 0 {
			return err
		}
		for _, e := range events {
			if ok, err := d.tell(ctx, by, &hook, e); err != nil || !ok {
				return err
			}
		}
		if last := events[len(events)-1].Number; hook.Position < last {
			if hook, err = d.Service.SkipChanges(ctx, by, d.node, hook, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// events reads on from the change after the number.
func (d *Dispatcher) events(ctx context.Context, by tracker.Actor, after, limit int64) ([]activity.Event, error) {
	page, err := d.Service.Changes(ctx, by, after, limit)
	if err != nil {
		return nil, err
	}
	return activity.Reader{Service: d.Service, By: by, PublicURL: d.PublicURL}.Tell(ctx, outward(page.Changes))
}

// hold makes sure that the lease outlasts an attempt.
func (d *Dispatcher) hold(ctx context.Context, by tracker.Actor, hook *tracker.Webhook) (err error) {
	needed := tracker.MillisOf(d.Now()).After(d.node.Lease / 2)
	if hook.LeaseHolder != d.node.Name || hook.LeaseUntil < needed {
		*hook, err = d.Service.LeaseWebhook(ctx, by, d.node, hook.ID)
	}
	return err
}

// tell makes one attempt to deliver an event and records what came of it. An event of which there is
// nothing to tell is passed over.
func (d *Dispatcher) tell(ctx context.Context, by tracker.Actor, hook *tracker.Webhook, e activity.Event) (ok bool, err error) {
	if len(e.Actions) == 0 {
		return true, nil
	}
	before := hook.Position
	if err := d.hold(ctx, by, hook); err != nil {
		return false, err
	}
	if hook.Position != before {
		return false, service.ErrLeased
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	// What is under way when the server ends is finished: its outcome would be lost otherwise.
	ctx = context.WithoutCancel(ctx)
	delivery, err := d.attempt(ctx, *hook, e)
	if err != nil {
		return false, err
	}
	*hook, err = d.Service.RecordDelivery(ctx, by, d.node, *hook, delivery)
	return delivery.Problem == "", err
}

func (d *Dispatcher) attempt(ctx context.Context, hook tracker.Webhook, e activity.Event) (tracker.Delivery, error) {
	body, err := encode(e)
	if err != nil {
		return tracker.Delivery{}, err
	}
	begin := d.Now()
	outcome, delivery := d.Sender.send(ctx, hook, body)
	d.outcomes.WithLabelValues(string(outcome)).Inc()
	delivery.WebhookID, delivery.Number, delivery.At = hook.ID, e.Number, tracker.MillisOf(begin)
	delivery.Duration = d.Now().Sub(begin).Milliseconds()
	return delivery, nil
}

// Redeliver delivers one change again, now and beside the order of the others.
func (d *Dispatcher) Redeliver(ctx context.Context, by tracker.Actor, id, number int64) (tracker.Delivery, error) {
	hook, err := d.Service.Webhook(ctx, by, id)
	if err != nil {
		return tracker.Delivery{}, err
	}
	events, err := d.events(ctx, by, number-1, 1)
	switch {
	case err != nil:
		return tracker.Delivery{}, err
	case len(events) == 0:
		return tracker.Delivery{}, tracker.Impossible("number", "is not the number of a change")
	case len(events[0].Actions) == 0:
		return tracker.Delivery{}, tracker.Impossible("number", "is of a change that webhooks are not told of")
	}
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	default:
		return tracker.Delivery{}, &tracker.Error{Code: tracker.Busy, Message: "Too many deliveries are under way; try again."}
	}
	delivery, err := d.attempt(ctx, hook, events[0])
	if err != nil {
		return delivery, err
	}
	return d.Service.KeepDelivery(context.WithoutCancel(ctx), by, delivery)
}
