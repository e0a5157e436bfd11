package demo

import (
	"context"
	"math"
	"time"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// planWork plans the creation of all epics and stories; what happens to a story later is planned
// when it is created.
func (f *filler) planWork() {
	f.planEpics()
	for range f.Stories {
		// More stories are written as the team grows.
		f.plan(f.workingHour(time.Duration(math.Sqrt(f.r.Float64())*float64(history))), f.addStory)
	}
}

func (f *filler) addStory(ctx context.Context) error {
	by := f.members[f.skewed(len(f.members))]
	story, err := f.CreateStory(ctx, by, f.newStory())
	if err != nil {
		return err
	}
	id := story.Stories[0].ID
	f.recent = append(f.recent, id)
	if len(f.recent) > recentStories {
		f.recent = f.recent[1:]
	}
	f.made.Stories++
	f.made.Tasks += len(story.Tasks)
	f.planMoves(id)
	f.planTasks(id, story.Stories[0].TaskIDs)
	f.planThread(id)
	return nil
}

// recentStories is how far back a new story refers to others.
const recentStories = 200

func (f *filler) newStory() tracker.StoryParams {
	p := tracker.StoryParams{StoryChange: tracker.StoryChange{
		Name: tracker.Some(f.writer.name()), Description: tracker.Some(f.description()), Labels: tracker.Some(f.someLabels(f.skewed(5))),
		Type: tracker.Some(pick(f.r, []tracker.StoryType{tracker.Feat, tracker.Feat, tracker.Feat, tracker.Bug, tracker.Bug, tracker.Chore})),
	}}
	if f.chance(0.7) {
		p.EpicID = tracker.Some(f.epics[f.skewed(len(f.epics))])
	}
	if f.chance(0.3) {
		p.ProjectID = tracker.Some(f.projects[f.skewed(len(f.projects))])
	}
	if f.chance(0.8) {
		p.GroupID = tracker.Some(f.groups[f.skewed(len(f.groups))])
	}
	if f.chance(0.6) {
		p.Estimate = tracker.Some(pick(f.r, []int64{0, 1, 1, 2, 2, 3, 3, 5, 8}))
	}
	if f.chance(0.08) {
		p.Deadline = tracker.Some(tracker.TimeOf(f.now.Add(f.days(5, 60))))
	}
	if f.chance(0.05) {
		p.ExternalLinks = tracker.Some([]string{"https://tickets.example/" + f.rare()})
	}
	if f.chance(0.2) {
		for range 1 + f.skewed(9) {
			p.Tasks = append(p.Tasks, tracker.TaskParams{Description: f.phrase(3 + f.r.IntN(8))})
		}
	}
	if f.chance(0.08) && len(f.recent) > 0 {
		verb := pick(f.r, []tracker.Verb{tracker.Blocks, tracker.RelatesTo, tracker.RelatesTo, tracker.Duplicates})
		p.Links = []tracker.StoryLinkParams{{Verb: verb, ObjectID: tracker.Some(pick(f.r, f.recent))}}
		f.made.Links++
	}
	p.CustomFields = tracker.Some(f.someFields(p.Type.Value))
	return p
}

func (f *filler) someFields(kind tracker.StoryType) []tracker.StoryField {
	var out []tracker.StoryField
	for _, field := range f.fields {
		if applies := len(field.StoryTypes) == 0 || field.StoryTypes[0] == kind; applies && f.chance(0.2) {
			out = append(out, tracker.StoryField{FieldID: field.ID, ValueID: pick(f.r, field.Values).ID})
		}
	}
	return out
}

// planMoves takes the story through the workflow; a fifth is never begun.
func (f *filler) planMoves(id int64) {
	last := len(f.states) - 1
	var way []int
	switch n := f.r.IntN(10); {
	case n < 2:
		return
	case n < 8:
		way = []int{2, last}
	default:
		way = []int{1, 2, last - 1, last}
	}
	at := f.now
	for _, state := range way {
		at = at.Add(time.Duration(f.r.ExpFloat64() * float64(9*24*time.Hour)))
		f.plan(at, f.moveStory(id, state))
	}
	if f.chance(0.05) {
		f.plan(at.Add(f.days(20, 90)), func(ctx context.Context) error {
			_, err := f.UpdateStory(ctx, pick(f.r, f.members), id, tracker.StoryChange{Archived: tracker.Some(true)})
			return err
		})
	}
}

// moveStory moves a story; with the work on it come an owner and the iteration under way.
func (f *filler) moveStory(id int64, state int) func(context.Context) error {
	return func(ctx context.Context) error {
		by := f.members[f.skewed(len(f.members))]
		ch := tracker.StoryChange{StateID: tracker.Some(f.states[state].ID)}
		if state == 2 {
			ch.OwnersAdd = []tracker.UUID{by.Member}
			for _, i := range f.iterations {
				if !f.now.After(i.last) {
					ch.IterationID = tracker.Some(i.id)
					break
				}
			}
		}
		_, err := f.UpdateStory(ctx, by, id, ch)
		f.made.Moves++
		return err
	}
}

func (f *filler) planTasks(id int64, tasks []int64) {
	for _, task := range tasks {
		if f.chance(0.6) {
			f.plan(f.now.Add(f.days(1, 40)), func(ctx context.Context) error {
				_, err := f.UpdateTask(ctx, pick(f.r, f.members), id, task, service.TaskChange{Complete: tracker.Some(true)})
				return err
			})
		}
	}
}

// planThread plans the comments on a story: none for most, dozens for a few. Half of them answer
// the one before.
func (f *filler) planThread(id int64) {
	var previous int64
	at := f.now
	n := 0
	if f.chance(0.25) {
		n = 1 + f.skewed(16)
	}
	for range n {
		at = at.Add(time.Duration(f.r.ExpFloat64() * float64(30*time.Hour)))
		f.plan(at, func(ctx context.Context) error {
			p := tracker.CommentParams{Text: f.comment()}
			if previous != 0 && f.chance(0.5) {
				p.ParentID = tracker.Some(previous)
			}
			if f.chance(0.1) {
				m := pick(f.r, f.members)
				p.Text = "[@" + m.Name + "](milepost://members/" + string(m.Member) + ") " + p.Text
			}
			comment, err := f.CreateComment(ctx, pick(f.r, f.members), id, p)
			previous = comment.ID
			f.made.Comments++
			return err
		})
	}
}
