create table playlists (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  -- Whose files it may hold; null = those of all projects of the account.
  project_id bigint,
  name text not null,
  description text not null default '',
  type text not null check (type in ('manual', 'automatic')),
  release_status text not null check (release_status in ('draft', 'unpublished', 'published')),
  -- Of a manual one, in order; duplicates are wanted. Ids of deleted files stay until these are purged, so that a restored file is back in
  -- its place; whoever reads joins the files that are there.
  element_file_ids bigint[] not null default '{}',
  -- Of an automatic one; evaluated when it is read.
  rules jsonb,
  playout_id uuid not null default gen_random_uuid(),
  event_sequence bigint not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, project_id) references projects (account_id, id),
  check ((type = 'automatic') = (rules is not null))
);
create index playlists_of_account on playlists (account_id, id desc);
create unique index playlists_by_playout on playlists (playout_id);
create index playlists_deleted on playlists (deleted_at) where deleted_at is not null;

-- Which renditions a playlist's stream was put together from, by the fingerprint that stands in the URIs of its media playlists: all of them
-- tell of the same elements in the same order, also when the playlist has been changed since the player loaded the first one.
create table playlist_streams (
  account_id bigint not null,
  playlist_id bigint not null,
  fingerprint text not null,
  layout text not null,
  used_at timestamptz not null default now(),
  primary key (playlist_id, fingerprint),
  foreign key (account_id, playlist_id) references playlists (account_id, id) on delete cascade
);
create index playlist_streams_by_use on playlist_streams (used_at);
