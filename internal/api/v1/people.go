package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// people are the members of the workspace. v1 shows a person by the id of the user, and takes that
// of the member as well; everything behind it knows members.
type people struct {
	userOf   map[tracker.UUID]tracker.UUID // by the id of the member
	memberOf map[tracker.UUID]tracker.UUID // by either id
}

// knowing is an operation that gets the people of the workspace, which are read once for a request.
func knowing[In, Out any](a API, run func(context.Context, tracker.Actor, people, In) (Out, error)) rest.Func[In, Out] {
	return func(ctx context.Context, by tracker.Actor, in In) (out Out, err error) {
		members, err := a.Service.Members(ctx, by)
		if err != nil {
			return out, err
		}
		p := people{userOf: make(map[tracker.UUID]tracker.UUID, len(members)), memberOf: make(map[tracker.UUID]tracker.UUID, 2*len(members))}
		for _, m := range members {
			p.userOf[m.ID], p.memberOf[m.ID], p.memberOf[m.UserID] = m.UserID, m.ID, m.ID
		}
		return run(ctx, by, p, in)
	}
}

// user is the id to show for a member. Someone who joined after the people were read is shown by
// the id of the member, which requests take as well.
func (p people) user(member tracker.UUID) tracker.UUID {
	if id, known := p.userOf[member]; known {
		return id
	}
	return member
}

func (p people) users(members []tracker.UUID) []tracker.UUID { return v3.Each(members, p.user) }

// member is the member whom an id in a request names. An unknown id stays as it is: the use case
// refuses it and names the field.
func (p people) member(id tracker.UUID) tracker.UUID {
	if member, known := p.memberOf[id]; known {
		return member
	}
	return id
}

func (p people) members(ids []tracker.UUID) []tracker.UUID { return v3.Each(ids, p.member) }

func (p people) memberOpt(o tracker.Opt[tracker.UUID]) tracker.Opt[tracker.UUID] {
	o.Value = p.member(o.Value)
	return o
}

func (p people) membersOpt(o tracker.Opt[[]tracker.UUID]) tracker.Opt[[]tracker.UUID] {
	o.Value = p.members(o.Value)
	return o
}
