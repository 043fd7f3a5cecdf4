-- What another live node needs to continue a broadcast: periods and segments, in the order in which they were made.
create table live_journal (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  broadcast_id bigint not null,
  -- Segments with these numbers divided by 64 leave the window together.
  block bigint not null,
  -- One JSON object per line.
  lines text not null,
  foreign key (account_id, broadcast_id) references live_broadcasts (account_id, id) on delete cascade
);
create index live_journal_of_broadcast on live_journal (broadcast_id, block);
