-- Quality of views (docs/analytics.md). Older api processes insert rows without these columns.
-- rated_*: playing time with a known bit rate, and the bits of this time. scaled_ms: playing time with a known size of the picture;
-- upscaled_ms: that in which the picture was larger than the rendition; upscale_ms: the time multiplied by how much larger.
alter table view_hours
  add column starts bigint not null default 0,
  add column complete_views bigint not null default 0,
  add column rated_ms bigint not null default 0,
  add column rated_bits bigint not null default 0,
  add column scaled_ms bigint not null default 0,
  add column upscaled_ms bigint not null default 0,
  add column upscale_ms bigint not null default 0,
  add column startup_counts integer[] not null default '{}',
  add column latency_counts integer[] not null default '{}';
alter table file_view_days
  add column starts bigint not null default 0,
  add column complete_views bigint not null default 0,
  add column rated_ms bigint not null default 0,
  add column rated_bits bigint not null default 0,
  add column scaled_ms bigint not null default 0,
  add column upscaled_ms bigint not null default 0,
  add column upscale_ms bigint not null default 0,
  add column startup_counts integer[] not null default '{}',
  add column latency_counts integer[] not null default '{}';
alter table view_dimension_days
  add column starts bigint not null default 0,
  add column complete_views bigint not null default 0,
  add column rated_ms bigint not null default 0,
  add column rated_bits bigint not null default 0,
  add column scaled_ms bigint not null default 0,
  add column upscaled_ms bigint not null default 0,
  add column upscale_ms bigint not null default 0;
comment on column view_hours.startup_counts is 'startups in steps of a quarter of a doubling, from one millisecond; missing steps are 0';
comment on column view_hours.latency_counts is 'reports of live latency in the same steps';

alter table views
  add column is_complete boolean not null default false,
  add column bit_rate bigint,
  add column upscaled_ms bigint;
comment on column views.bit_rate is 'bits per second; null if the player did not report it';

-- The export reads a period of an account in this order.
create index views_of_account_by_end on views (account_id, ended_at, id);
