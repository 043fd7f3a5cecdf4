-- Unfinished uploads whose bytes are in the S3 bucket (decision 0018): any node continues them. `staged_on` of their upload is 's3'.
create table staged_uploads (
  staging_name uuid primary key,
  account_id bigint not null references accounts (id),
  blob text not null,
  multipart_id text,
  part_bytes bigint,
  size_bytes bigint not null default 0,
  last_part integer not null default 0,
  sha256_state bytea,
  epoch bigint not null default 1,
  holder uuid,
  leased_until timestamptz,
  is_wanted boolean not null default false,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  unique (account_id, staging_name)
);
comment on column staged_uploads.blob is 'key at which the parts become one blob';
comment on column staged_uploads.part_bytes is 'size of each part but the last; null = the size of the upload is unknown, so parts grow';
comment on column staged_uploads.size_bytes is 'number of durable bytes';
comment on column staged_uploads.last_part is 'highest part number in use. Each number is used once, so that a late request of a former holder overwrites nothing';
comment on column staged_uploads.sha256_state is 'state of the checksum after size_bytes; null = the upload has none';
comment on column staged_uploads.epoch is 'grows with each holder; only the newest may write';
comment on column staged_uploads.holder is 'process that writes';
comment on column staged_uploads.is_wanted is 'another request waits for the holder to stop';

-- Multipart parts, and the bytes after the last of them in one object for each request (part_number = 0).
create table staged_pieces (
  account_id bigint not null,
  staging_name uuid not null,
  start_bytes bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  etag text not null,
  part_number integer not null,
  object text check ((object is null) = (part_number > 0)),
  primary key (staging_name, part_number, start_bytes),
  foreign key (account_id, staging_name) references staged_uploads (account_id, staging_name) on delete cascade
);

create index uploads_by_staging_name on uploads (staging_name) where completed_at is null;
