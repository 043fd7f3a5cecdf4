-- Pictures of the whole video at even distances, made of the present source; null until they are there, and where there is no video.
alter table media_files add column storyboard jsonb;
update media_files
  set
    record = replace(
      record,
      '"Playouts":[{"Id":"' || playout_id || '",',
      '"Playouts":[{"Id":"' || playout_id || '","Storyboard":null,'
    ),
    version = version + 1
  where record like '{%}';

-- What is still to be cut of the source of another file to become the source of this one; gone when it is cut.
create table clips (
  file_id bigint primary key,
  account_id bigint not null,
  -- As it was when the clip was asked for: a replacement of it does not change the clip.
  source_blob text not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  -- Which job is wanted: another one does nothing.
  attempt integer not null default 1,
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade,
  check (start_seconds >= 0 and end_seconds > start_seconds)
);
