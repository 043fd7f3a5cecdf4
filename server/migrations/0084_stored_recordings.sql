-- The bytes of a recording are in the storage of media while it is made, so that any live node can continue and finish it.
alter table live_recordings add column is_stored boolean not null default false;
-- Only the owner of the stream with this epoch writes the recording.
alter table live_recordings add column epoch bigint not null default 0;
-- The tracks of the file, in the order of their ids: [{"kind", "initSegment"}].
alter table live_recordings add column tracks jsonb;
create unique index live_recordings_of_account on live_recordings (account_id, id);

-- Successive pieces of a stored recording, each a blob.
create table live_recording_pieces (
  recording_id bigint not null,
  account_id bigint not null,
  start_offset bigint not null,
  size_bytes bigint not null,
  -- Headers of the fragments, which follow the piece in its blob.
  skeleton_bytes bigint not null,
  blob text not null,
  -- What the next owner needs to continue the recording.
  state jsonb not null,
  primary key (recording_id, start_offset),
  foreign key (account_id, recording_id) references live_recordings (account_id, id) on delete cascade
);

-- Bytes of the DVR window in the storage of media.
alter table live_broadcasts add column stored_window_bytes bigint not null default 0;
alter table usage_days add column live_bytes bigint not null default 0;
-- A node that was lost while it was online may have published until then, which its journal need not show.
alter table live_broadcasts add column lost_until timestamptz;
