-- Counts the changes to labels and custom fields, so that a node knows whether what it remembers of
-- them still holds.
alter table workspace add column catalog_number bigint not null default 0;
