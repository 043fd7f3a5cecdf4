-- Names of the custom dimensions of a project (docs/analytics.md). Reports with other names are stored without them.
alter table projects add column analytics_dimensions jsonb not null default '[]';
