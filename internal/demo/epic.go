package demo

import (
	"context"
	"time"

	"milepost/internal/tracker"
)

func (f *filler) epicCount() int { return 5 + f.Stories/40 }

// planEpics lets a third of the epics begin with the history and the others during it.
func (f *filler) planEpics() {
	for i := range f.epicCount() {
		at := f.now
		if i%3 > 0 {
			at = f.workingHour(time.Duration(f.r.Float64() * 0.9 * float64(history)))
		}
		f.plan(at, f.addEpic)
	}
}

func (f *filler) addEpic(ctx context.Context) error {
	by := pick(f.r, f.members)
	change := tracker.EpicChange{
		Name: tracker.Some(f.writer.name()), Description: tracker.Some(f.description()), OwnerIDs: tracker.Some(f.someMembers(1 + f.r.IntN(2))),
		ObjectiveIDs: tracker.Some([]int64{f.objectives[f.skewed(len(f.objectives))]}), GroupIDs: tracker.Some([]tracker.UUID{pick(f.r, f.groups)}),
		Labels: tracker.Some(f.someLabels(f.r.IntN(3))),
	}
	if f.r.IntN(3) == 0 {
		change.Deadline = tracker.Some(tracker.TimeOf(f.now.Add(f.days(30, 150))))
	}
	epic, err := f.CreateEpic(ctx, by, tracker.EpicParams{EpicChange: change})
	if err != nil {
		return err
	}
	id := epic.Epics[0].ID
	f.epics = append(f.epics, id)
	f.made.Epics++
	f.plan(f.now.Add(f.days(3, 40)), f.moveEpic(id, f.epicStates[1]))
	if f.r.IntN(3) == 0 {
		f.plan(f.now.Add(f.days(60, 250)), f.moveEpic(id, f.epicStates[len(f.epicStates)-1]))
	}
	for range f.r.IntN(4) {
		f.plan(f.now.Add(f.days(1, 120)), func(ctx context.Context) error {
			_, err := f.CreateEpicComment(ctx, pick(f.r, f.members), id, tracker.EpicCommentParams{Text: f.comment()})
			return err
		})
	}
	return nil
}

func (f *filler) moveEpic(id, state int64) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := f.UpdateEpic(ctx, pick(f.r, f.members), id, tracker.EpicChange{StateID: tracker.Some(state)})
		return err
	}
}
