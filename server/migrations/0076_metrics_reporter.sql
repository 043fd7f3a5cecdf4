-- Of the processes that Prometheus scrapes, the one that serves the metrics of the whole installation.
create table metrics_reporter (
  is_only boolean primary key default true check (is_only),
  node_id text not null,
  leased_until timestamptz not null
);
