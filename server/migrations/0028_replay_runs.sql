-- A replay is made by one chain of jobs, each of which asks for the next: `run` counts them, so that one that comes late, or twice, ends. Where
-- none has looked for long, housekeeping asks for the next one.
alter table webhook_replays
  add column run integer not null default 1,
  add column looked_at timestamptz not null default now();
