-- The name of a label as searches compare it (query.Key); what is there already gets it with the new index.
alter table label add column search_key text not null default '';
create index label_by_search_key on label (workspace_id, search_key);
