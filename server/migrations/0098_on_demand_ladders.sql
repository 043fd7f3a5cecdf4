-- Rungs that are encoded when viewers request them (docs/encoding.md#encode-on-demand). Api processes write which chunks viewers
-- want; workers lease and encode them. A chunk is one segment.
alter table media_files
  add column ladder_mode text not null default 'eager' check (ladder_mode in ('eager', 'on-demand', 'auto'));
comment on column media_files.ladder_mode is 'LadderMode of the project when the file was created';

alter table renditions drop constraint renditions_state_check;
alter table renditions add constraint renditions_state_check
  check (state in ('encoding', 'growing', 'complete', 'on_demand'));
comment on column renditions.state is
  'encoding: not listed yet; growing: plays while it is encoded; complete: all segments are there; on_demand: listed as a whole, segments are encoded on request';

create index renditions_on_demand on renditions (id) where state = 'on_demand';

create table on_demand_renditions (
  rendition_id bigint primary key references renditions (id) on delete cascade,
  account_id bigint not null,
  file_id bigint not null,
  plan jsonb not null,
  chunk_count integer not null check (chunk_count > 0),
  is_settled boolean not null default true,
  watched_at timestamptz,
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index on_demand_renditions_of_file on on_demand_renditions (account_id, file_id);
create index on_demand_renditions_to_settle on on_demand_renditions (rendition_id) where not is_settled;
comment on column on_demand_renditions.plan is 'what every worker encodes by, so that a chunk is the same whoever makes it';
comment on column on_demand_renditions.watched_at is 'when a viewer last wanted a chunk, to the minute';
comment on column on_demand_renditions.is_settled is 'whether the record and the byte counters include all chunks that are ready';

-- A chunk without a row is absent.
create table on_demand_chunks (
  rendition_id bigint not null references on_demand_renditions (rendition_id) on delete cascade,
  number integer not null check (number >= 0),
  account_id bigint not null,
  file_id bigint not null,
  state text not null default 'absent' check (state in ('absent', 'claimed', 'ready')),
  wanted_at timestamptz not null default now(),
  wanted_until timestamptz not null,
  is_awaited boolean not null default false,
  claim uuid,
  leased_until timestamptz,
  attempt integer not null default 0,
  failures integer not null default 0,
  segment jsonb,
  primary key (rendition_id, number),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
) with (fillfactor = 70);
create index on_demand_chunks_wanted on on_demand_chunks (wanted_until) where state <> 'ready';
create index on_demand_chunks_of_file on on_demand_chunks (account_id, file_id);
comment on column on_demand_chunks.wanted_at is 'since when, without a break';
comment on column on_demand_chunks.wanted_until is 'encoders begin the chunk until then';
comment on column on_demand_chunks.is_awaited is 'whether a viewer waits for the chunk, rather than for one before it';
comment on column on_demand_chunks.leased_until is 'end of the claim, unless the encoder renews it';
comment on column on_demand_chunks.attempt is 'number of claims so far; each stores its segment in a folder of its own';
comment on column on_demand_chunks.segment is 'start and duration in ticks, size and end of the key frame in bytes; null until it is ready';

-- Seconds of media that were encoded on demand, one for each rung.
create table on_demand_days (
  account_id bigint not null,
  project_id bigint not null,
  day date not null,
  encoded_seconds double precision not null,
  primary key (account_id, project_id, day)
) with (fillfactor = 70);
create index on_demand_days_by_day on on_demand_days (day);
