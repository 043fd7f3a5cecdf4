-- Media that is copied into another store just now (server/src/files/move-media.ts): what a killed move may have left there.
-- Without foreign keys: it outlives a file that is purged meanwhile.
create table media_moves (
  file_id bigint primary key,
  account_id bigint not null,
  -- Which run works on it: one that was taken for dead must remove nothing any more.
  run uuid not null,
  blobs text[] not null
);
