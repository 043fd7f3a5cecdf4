create table media_files (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  state text not null default 'created'
    check (state in ('created', 'uploaded', 'encoding', 'playable', 'finished', 'failed', 'degraded')),
  original_file_name text not null,
  use_encoding boolean not null,
  encoding_priority integer not null check (encoding_priority between 0 and 100),
  encoding_progress integer not null default 0,
  error_message text,
  metadata jsonb not null,
  properties jsonb,
  checksum text,
  source_kind text not null default 'upload' check (source_kind in ('upload', 'url', 'recording', 'clip')),
  source_uri text,
  -- Where the bytes are: the source as uploaded, and its remux when the source's own container cannot be served in place.
  source_blob text,
  source_size_bytes bigint,
  playout_id uuid not null default gen_random_uuid(),
  uploaded_at timestamptz,
  playable_at timestamptz,
  encoded_at timestamptz,
  announced_at timestamptz,
  storage_bytes bigint not null default 0,
  event_sequence bigint not null default 0,
  version bigint not null default 1,
  -- The record as the API shows it, rendered in the transaction that changes it and read raw.
  record text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, project_id) references projects (account_id, id)
);
create index media_files_of_project on media_files (project_id, id desc) where deleted_at is null;
create unique index media_files_by_playout on media_files (playout_id);
create index media_files_deleted on media_files (deleted_at) where deleted_at is not null;

-- One encoded or packaged result of one rung. `segments` is a JSON array of [startTicks, durationTicks, sizeBytes].
create table renditions (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  file_id bigint not null,
  kind text not null check (kind in ('video', 'audio')),
  name text not null,
  -- in_place: segments are cut from media_blob on request; packaged: init segment and segments lie below media_blob.
  delivery text not null check (delivery in ('in_place', 'packaged')),
  -- encoding: not listed yet; growing: plays while it is encoded; complete: all segments are there.
  state text not null check (state in ('encoding', 'growing', 'complete')),
  media_blob text not null,
  codec text not null default '',
  width_pixels integer,
  height_pixels integer,
  frame_rate double precision,
  channels integer,
  sample_rate_hz integer,
  language text,
  timescale integer not null,
  peak_bits_per_second bigint not null default 0,
  average_bits_per_second bigint not null default 0,
  size_bytes bigint not null default 0,
  segments text not null default '[]',
  created_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index renditions_of_file on renditions (file_id, id);

create table file_pictures (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  file_id bigint not null,
  -- What viewers see in URLs: integers can be guessed.
  public_id uuid not null default gen_random_uuid(),
  width_pixels integer not null,
  height_pixels integer not null,
  is_standard boolean not null,
  manual_upload boolean not null default false,
  picture_blob text not null,
  thumb_blob text not null,
  created_at timestamptz not null default now(),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create unique index file_pictures_by_public_id on file_pictures (public_id);
create index file_pictures_of_file on file_pictures (file_id, id);

-- The upload URL is the credential, so only its hash is kept.
create table uploads (
  token_hash bytea primary key,
  account_id bigint not null,
  file_id bigint not null,
  staging_name uuid not null default gen_random_uuid(),
  size_bytes bigint,
  checksum text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  completed_at timestamptz,
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index uploads_of_file on uploads (file_id);
create index uploads_expired on uploads (expires_at) where completed_at is null;
