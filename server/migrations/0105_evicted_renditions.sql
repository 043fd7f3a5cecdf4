-- Housekeeping drops the segments of rungs on demand that nobody has watched for long (docs/encoding.md#eviction). The rung goes on as a
-- new rendition, so that its new segments have other URLs.
alter table on_demand_renditions add column made_at timestamptz;
comment on column on_demand_renditions.made_at is 'when a segment was last stored; null = none is';
comment on column on_demand_renditions.watched_at is 'when a viewer last requested a segment, the playlist or the download, to the hour';
-- Former releases did not record who watches complete rungs: all are kept for the whole time.
update on_demand_renditions o set made_at = now()
  where exists (select from on_demand_chunks c where c.rendition_id = o.rendition_id and c.state = 'ready');
create index on_demand_renditions_unwatched on on_demand_renditions (greatest(made_at, watched_at)) where made_at is not null;

create table evicted_renditions (
  former_id bigint primary key,
  rendition_id bigint not null references renditions (id) on delete cascade,
  account_id bigint not null,
  file_id bigint not null,
  evicted_at timestamptz not null default now(),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index evicted_renditions_by_rendition on evicted_renditions (rendition_id);
create index evicted_renditions_of_file on evicted_renditions (account_id, file_id);
comment on column evicted_renditions.rendition_id is 'the rendition that has taken the place of the former one';
