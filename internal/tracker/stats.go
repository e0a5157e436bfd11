package tracker

// StoryStats counts unarchived stories by the type of their state.
type StoryStats struct {
	Total, Backlog, Unstarted, Started, Done, Unestimated             int64
	Points, PointsBacklog, PointsUnstarted, PointsStarted, PointsDone int64
	LastUpdate                                                        *Time
	CycleSeconds, LeadSeconds                                         int64 // of the completed stories together
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
