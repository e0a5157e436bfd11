package store

import "milepost/internal/query"

// searchTable says how the conditions of the language are met in the table of an entity. What a
// table has no row for matches nothing.
type searchTable struct {
	searched
	columns map[query.Field]string
	lists   map[query.Field]string // kinds of entries in the table ref
	flags   map[query.Flag]searchFlag
}

// A searchFlag is a condition on a row s; source, if there is one, is as in clause.
type searchFlag struct{ filter, source string }

// listFlag is set where a list is not empty.
func listFlag(entity, column, kinds string) searchFlag {
	return searchFlag{"s." + column + " <> ''", `select id, 3 as tier from ref where workspace_id = $1 and entity = '` + entity + `' and kind in (` + kinds + `)`}
}

func storyFlag(condition string) searchFlag {
	return searchFlag{condition, `select s.id, 3 as tier from story s where s.workspace_id = $1 and ` + condition}
}

var searchTables = map[query.Entity]searchTable{
	query.Stories: {
		searched: searchedStory,
		columns: map[query.Field]string{
			query.ID: "id", query.Estimate: "estimate", query.Project: "project_id", query.Epic: "epic_id", query.Iteration: "iteration_id",
			query.StateName: "workflow_state_id", query.Requester: "requested_by_id", query.Team: "group_id",
			query.Created: "created_at", query.Updated: "updated_at", query.Completed: "completed_at", query.Moved: "moved_at", query.Due: "deadline",
		},
		lists: map[query.Field]string{
			query.Label: "label", query.Owner: "owner", query.SkillSet: "custom-field-value", query.ProductArea: "custom-field-value",
			query.TechnicalArea: "custom-field-value", query.Priority: "custom-field-value", query.Severity: "custom-field-value",
			query.Branch: "branch", query.Commit: "commit", query.PR: "pull-request",
		},
		flags: map[query.Flag]searchFlag{
			query.Archived: storyFlag("s.archived = true"), query.Blocked: storyFlag("s.blocked = true"), query.Blocker: storyFlag("s.blocker = true"),
			query.Unestimated: storyFlag("(s.estimate is null or s.estimate = 0)"),
			query.HasEpic:     storyFlag("s.epic_id > 0"),
			query.HasTask:     {"s.task_ids <> ''", `select story_id as id, 3 as tier from task where workspace_id = $1`},
			query.HasComment:  {"s.comment_ids <> ''", `select story_id as id, 3 as tier from comment where workspace_id = $1`},
			query.HasLabel:    listFlag("story", "label_ids", "'label'"),
			query.HasOwner:    listFlag("story", "owner_ids", "'owner'"),
			query.HasBranch:   listFlag("story", "branch_ids", "'branch'"),
			query.HasCommit:   listFlag("story", "commit_ids", "'commit'"),
			query.HasPR:       listFlag("story", "pull_request_ids", "'pull-request'"),
			query.HasAttachment: {"(s.file_ids <> '' or s.linked_file_ids <> '')",
				`select id, 3 as tier from ref where workspace_id = $1 and entity = 'story' and kind in ('file', 'linked-file')`},
		},
	},
	query.Epics: {
		searched: searchedEpic,
		columns: map[query.Field]string{
			query.ID: "id", query.StateName: "epic_state_id", query.Requester: "requested_by_id", query.Created: "created_at",
			query.Updated: "updated_at", query.Completed: "completed_at", query.Due: "deadline",
		},
		lists: map[query.Field]string{
			query.Label: "label", query.Owner: "owner", query.Team: "group", query.Objective: "objective",
		},
		flags: map[query.Flag]searchFlag{
			query.Archived:   {filter: "s.archived"},
			query.HasComment: {filter: `exists (select 1 from epic_comment where epic_comment.workspace_id = $1 and epic_comment.epic_id = s.id)`},
			query.HasLabel:   listFlag("epic", "label_ids", "'label'"),
			query.HasOwner:   listFlag("epic", "owner_ids", "'owner'"),
		},
	},
	query.Iterations: {
		searched: searchedIteration,
		columns: map[query.Field]string{
			query.ID: "id", query.Created: "created_at", query.Updated: "updated_at", query.StartDate: "start_date", query.EndDate: "end_date",
		},
		lists: map[query.Field]string{query.Team: "group"},
	},
	query.Objectives: {
		searched: searchedMilestone,
		columns: map[query.Field]string{
			query.ID: "id", query.StateName: "state", query.Created: "created_at", query.Updated: "updated_at", query.Completed: "completed_at",
		},
		flags: map[query.Flag]searchFlag{query.Archived: {filter: "s.archived"}},
	},
}
