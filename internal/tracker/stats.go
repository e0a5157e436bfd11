package tracker

// StoryStats counts unarchived stories by the type of their state.
type StoryStats struct {
	Total, Backlog, Unstarted, Started, Done, Unestimated             int64
	Points, PointsBacklog, PointsUnstarted, PointsStarted, PointsDone int64
	CycleSeconds, LeadSeconds                                         int64 // of the completed stories together
}

// Plus counts the stories of both together; none is in both.
func (s StoryStats) Plus(o StoryStats) StoryStats {
	return StoryStats{
		Total: s.Total + o.Total, Backlog: s.Backlog + o.Backlog, Unstarted: s.Unstarted + o.Unstarted, Started: s.Started + o.Started,
		Done: s.Done + o.Done, Unestimated: s.Unestimated + o.Unestimated, Points: s.Points + o.Points,
		PointsBacklog: s.PointsBacklog + o.PointsBacklog, PointsUnstarted: s.PointsUnstarted + o.PointsUnstarted,
		PointsStarted: s.PointsStarted + o.PointsStarted, PointsDone: s.PointsDone + o.PointsDone,
		CycleSeconds: s.CycleSeconds + o.CycleSeconds, LeadSeconds: s.LeadSeconds + o.LeadSeconds,
	}
}

// AverageCycleTime is in seconds; nil while nothing is done.
func (s StoryStats) AverageCycleTime() *int64 { return average(s.CycleSeconds, s.Done) }

// AverageLeadTime is in seconds; nil while nothing is done.
func (s StoryStats) AverageLeadTime() *int64 { return average(s.LeadSeconds, s.Done) }

func average(sum, n int64) *int64 {
	if n == 0 {
		return nil
	}
	mean := sum / n
	return &mean
}
