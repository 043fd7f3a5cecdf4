-- tus 1.0. From here on the bytes of an upload still have to be held against the checksum that came with them: what a crash leaves behind
-- it does not count. Null = all have been, or none was asked for.
alter table uploads add column unchecked_after bigint;
-- Upload-Metadata and Upload-Concat as the client sent them: HEAD answers them unchanged.
alter table uploads add column tus_metadata text;
alter table uploads add column tus_concat text;

-- Partial uploads, of which a later request makes one file. Like an upload's, the URL is the credential.
create table upload_parts (
  token_hash bytea primary key,
  account_id bigint not null,
  project_id bigint not null,
  staging_name uuid not null,
  size_bytes bigint,
  unchecked_after bigint,
  tus_metadata text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);
create index upload_parts_of_project on upload_parts (account_id, project_id);
create index upload_parts_expired on upload_parts (expires_at);
create index upload_parts_by_staging_name on upload_parts (staging_name);

-- Uploads whose bytes we fetch ourselves; gone when the bytes are here.
create table pulls (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  file_id bigint not null,
  upload_token_hash bytea not null references uploads (token_hash) on delete cascade,
  -- Sealed: signed URLs are credentials.
  sealed_uri bytea not null,
  -- What the caller said; `uploads.size_bytes` is what the server says.
  expected_bytes bigint,
  -- The caller said what the file is called; the server's word does not count.
  is_named boolean not null,
  -- Of the bytes that are here already (RFC 9110 13.1.5); null = they cannot be gone on with.
  validator text,
  -- Jobs name the attempt that they are; only the newest is wanted.
  attempt integer not null default 1,
  -- Which run works on it: one that was taken for dead must not go on beside its successor.
  claim uuid,
  -- How many attempts in a row came no further.
  fruitless_attempts integer not null default 0,
  begun_at timestamptz not null default now(),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create unique index pulls_by_upload on pulls (upload_token_hash);
create index pulls_of_file on pulls (account_id, file_id);
