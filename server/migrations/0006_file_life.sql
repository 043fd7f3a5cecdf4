-- Who made the file; null where nobody remembers.
alter table media_files add column created_by bigint;
alter table media_files add foreign key (account_id, created_by) references users (account_id, id);
update media_files
  set record = substr(record, 1, length(record) - 1) || ',"CreatedBy":null}', version = version + 1
  where record like '{%}';

-- A file is processed once or more often: each time is a generation. `generation` is the one that plays and that the record tells of;
-- generations are counted up in `last_generation` and never used twice.
alter table media_files add column generation integer not null default 1;
alter table media_files add column last_generation integer not null default 1;
-- What is being made while `generation` goes on playing: its number, and the new source where there is one.
alter table media_files add column rework jsonb;
-- Its media is being removed for good: it cannot be restored any more.
alter table media_files add column purging_at timestamptz;
-- It went with its project, and comes back with it.
alter table media_files add column is_deleted_with_project boolean not null default false;
create index media_files_deleted_with_project on media_files (project_id, id)
  where deleted_at is not null and is_deleted_with_project;

alter table renditions add column generation integer not null default 1;

-- The generation whose source the picture was taken of by itself; null = picked or uploaded by hand.
alter table file_pictures add column poster_of_generation integer;
update file_pictures set poster_of_generation = 1 where not manual_upload;

-- What the new source of a file is called; null where the upload brings the file's first source.
alter table uploads add column file_name text;
-- The last part of the blob's key. A replacement may not write over the source that plays.
alter table uploads add column source_name text not null default 'source';

-- Media that nothing names any more, kept a while for viewers who are in the middle of it.
create table discarded_media (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  file_id bigint not null,
  -- The generation whose renditions go along; null = none.
  generation integer,
  -- Keys, and prefixes that end with a slash.
  blobs text[] not null,
  remove_after timestamptz not null,
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index discarded_media_due on discarded_media (remove_after);
create index discarded_media_of_file on discarded_media (file_id);

-- Nothing is left of a deleted project but its id.
alter table projects add column purged_at timestamptz;
create index projects_deleted on projects (deleted_at) where deleted_at is not null and purged_at is null;
