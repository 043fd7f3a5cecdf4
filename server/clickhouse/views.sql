-- The table that Zoetrope writes with ZOETROPE_ANALYTICS_VIEWS=clickhouse (docs/analytics.md). A repeated batch changes nothing: its
-- token is refused within the window, and rows with the same id replace each other.
create table if not exists views (
  id UInt64,
  account_id UInt64,
  project_id UInt64,
  file_id Nullable(UInt64),
  kind LowCardinality(String),
  source LowCardinality(String),
  started_at DateTime64(3, 'UTC'),
  ended_at DateTime64(3, 'UTC'),
  watch_ms UInt64,
  startup_ms Nullable(UInt64),
  rebuffers UInt32,
  rebuffer_ms UInt64,
  has_started Bool,
  has_failed Bool,
  error_code Nullable(String),
  is_complete Bool default false,
  bit_rate Nullable(UInt64),
  upscaled_ms Nullable(UInt64),
  dimensions Map(LowCardinality(String), String)
)
engine = ReplacingMergeTree
partition by toYYYYMM(ended_at)
order by (account_id, project_id, ended_at, id)
ttl toDateTime(ended_at) + interval 400 day
settings non_replicated_deduplication_window = 1000;

-- Columns of later releases: run this file again after an upgrade. Views that were sent before have no values in them.
alter table views
  add column if not exists is_complete Bool default false after error_code,
  add column if not exists bit_rate Nullable(UInt64) after is_complete,
  add column if not exists upscaled_ms Nullable(UInt64) after bit_rate
