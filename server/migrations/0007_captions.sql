-- Subtitles and captions of a file, one of each kind in a language.
create table file_captions (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  file_id bigint not null,
  -- BCP 47, in its canonical form.
  language text not null,
  kind text not null check (kind in ('subtitles', 'captions')),
  label text not null,
  is_default boolean not null default false,
  -- What viewers see in URLs; another text gets another one, so that what lies under a URL never changes.
  public_id uuid not null,
  -- WebVTT, cleaned.
  caption_blob text not null,
  size_bytes bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create unique index file_captions_by_public_id on file_captions (public_id);
create unique index file_captions_by_language on file_captions (file_id, language, kind);
create unique index file_captions_one_default on file_captions (file_id) where is_default;

-- A file has one standard picture, or none when it has no picture at all.
update file_pictures p set is_standard = false
  where is_standard and exists (
    select from file_pictures q where q.file_id = p.file_id and q.is_standard and q.id > p.id
  );
create unique index file_pictures_one_standard on file_pictures (file_id) where is_standard;
-- Of both blobs; 0 where they were written before it was kept.
alter table file_pictures add column size_bytes bigint not null default 0;

-- A picture that somebody waits for while a worker makes it.
create table picture_requests (
  id uuid primary key default gen_random_uuid(),
  account_id bigint not null,
  file_id bigint not null,
  -- waiting: nobody has taken it up; working; made: picture_id is there; refused: the message says why.
  state text not null default 'waiting' check (state in ('waiting', 'working', 'made', 'refused')),
  picture_id bigint,
  message text,
  created_at timestamptz not null default now(),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index picture_requests_of_file on picture_requests (file_id);
create index picture_requests_by_age on picture_requests (created_at);

-- Records that were rendered before files had captions say so too.
update media_files
  set record = substr(record, 1, length(record) - 1) || ',"Captions":[]}', version = version + 1
  where record like '{%}';
