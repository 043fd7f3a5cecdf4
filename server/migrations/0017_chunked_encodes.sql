-- A step of a file's ladder that is encoded in chunks, by as many workers as there are. Its renditions are hidden until the last chunk is there.
create table chunked_encodes (
  account_id bigint not null,
  file_id bigint not null,
  generation integer not null,
  -- What every worker encodes by: decided once, so that all chunks fit together.
  plan jsonb not null,
  rendition_ids bigint[] not null,
  created_at timestamptz not null default now(),
  primary key (account_id, file_id, generation),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);

create table encode_chunks (
  account_id bigint not null,
  file_id bigint not null,
  generation integer not null,
  number integer not null check (number >= 0),
  state text not null default 'planned' check (state in ('planned', 'running', 'done')),
  -- Which run works on it: one that was taken for dead and wakes up finds itself overtaken.
  claim uuid,
  done_seconds double precision not null default 0,
  -- What came out, one for each rendition; null until it is done.
  pieces jsonb,
  primary key (account_id, file_id, generation, number),
  foreign key (account_id, file_id, generation)
    references chunked_encodes (account_id, file_id, generation) on delete cascade
);

-- When processing will have ended, by the speed that was measured; null where nobody knows.
alter table media_files add column estimated_ready_at timestamptz;
-- The first is the record's own: metadata, where anybody may use such names, come after it.
update media_files
  set record = regexp_replace(record, ',"HasErrors":', ',"EstimatedReadyAt":null,"HasErrors":'), version = version + 1
  where record like '{%}';
