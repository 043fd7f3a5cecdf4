-- Live streams: one for each project, made when it is first asked for.

-- A program that takes ingest. Its row lives as long as it writes seen_at; who has not done so for ten seconds is dead.
create table live_nodes (
  id uuid primary key,
  -- Where the other nodes reach its HTTP server.
  url text not null,
  -- Where viewers reach it; null lets the API nodes pass its bytes on.
  public_url text,
  -- Of its data folder: a node that has the same finds there what this one left.
  disk text not null,
  -- Ports of encoders that it could not open, because another program has them.
  taken_ports jsonb not null default '[]',
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

create table live_streams (
  project_id bigint primary key,
  account_id bigint not null,
  playout_id uuid not null unique default gen_random_uuid(),
  kind text not null default 'rtmp' check (kind in ('rtmp', 'srt', 'whip', 'rtmp-pull', 'srt-pull', 'hls-pull')),
  -- Of a pull; may hold a password.
  sealed_source_uri bytea,
  sealed_stream_key bytea not null,
  stream_key_hash bytea not null unique,
  sealed_srt_passphrase bytea not null,
  title text not null default '',
  release_status text not null default 'published' check (release_status in ('draft', 'unpublished', 'published')),
  is_low_latency boolean not null default true,
  timeshift_seconds integer not null default 0,
  reconnect_seconds integer not null default 60,
  is_transcoded boolean not null default false,
  renditions jsonb not null default '[]',
  is_auto_recorded boolean not null default false,
  is_enabled boolean not null default true,
  -- What a node has to take in counts version up; a node that has done so writes it into applied_version (IsSynced).
  version bigint not null default 1,
  applied_version bigint not null default 1,
  -- What the API wants of the broadcast that goes on. The node compares, so a wish survives whatever crashes.
  stops_wanted bigint not null default 0,
  stops_done bigint not null default 0,
  is_recording_wanted boolean not null default false,
  -- What the node says.
  state text not null default 'offline' check (state in ('offline', 'connected', 'online', 'reconnecting')),
  node_id uuid,
  broadcast_id bigint,
  -- Of a pull: the node that fetches it, until then.
  pull_node_id uuid,
  pull_until timestamptz,
  -- Of its events.
  sequence bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (account_id, project_id) references projects (account_id, id),
  unique (account_id, project_id)
);
create index live_streams_of_node on live_streams (node_id) where node_id is not null;
create index live_streams_to_pull on live_streams (project_id) where kind in ('rtmp-pull', 'srt-pull', 'hls-pull') and is_enabled;

-- From the first frame that could be shown to the end of the last reconnect window.
create table live_broadcasts (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  connected_at timestamptz not null default now(),
  online_at timestamptz,
  -- The publisher is away; null while it is here.
  disconnected_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  publisher_address text not null default '',
  publisher_encoder text not null default '',
  foreign key (account_id, project_id) references live_streams (account_id, project_id),
  unique (account_id, id)
);
create index live_broadcasts_of_project on live_broadcasts (account_id, project_id, id desc);
create index live_broadcasts_failed on live_broadcasts (ended_at) where online_at is null;
create index live_broadcasts_open on live_broadcasts (project_id) where ended_at is null;

-- A file on the disk of its node until it becomes a File of the project.
create table live_recordings (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  broadcast_id bigint not null,
  node_id uuid not null,
  -- A clip of what is live takes the same way, without events of its own.
  kind text not null default 'recording' check (kind in ('recording', 'clip')),
  -- Where its bytes lie, below the folder of recordings.
  file_name text not null unique,
  title text not null,
  state text not null default 'recording' check (state in ('recording', 'finishing', 'finished', 'failed')),
  message text,
  file_id bigint,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (account_id, project_id) references live_streams (account_id, project_id)
);
create index live_recordings_of_project on live_recordings (account_id, project_id, id desc);
create index live_recordings_open on live_recordings (node_id) where state in ('recording', 'finishing');

create table live_log (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  broadcast_id bigint,
  level text not null check (level in ('info', 'warning', 'error')),
  code text not null,
  message text not null,
  occurred_at timestamptz not null default now(),
  foreign key (account_id, project_id) references live_streams (account_id, project_id)
);
create index live_log_of_project on live_log (account_id, project_id, id desc);
create index live_log_old on live_log (occurred_at);

-- Where a stream is pushed on to.
create table live_targets (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  label text not null,
  -- With the stream key of the target.
  sealed_uri bytea not null,
  is_enabled boolean not null default true,
  -- What the node says.
  state text not null default 'idle' check (state in ('idle', 'connecting', 'online', 'waiting')),
  message text,
  online_since timestamptz,
  restart_count integer not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (account_id, project_id) references live_streams (account_id, project_id),
  unique (account_id, id)
);
create index live_targets_of_project on live_targets (account_id, project_id, id);

-- The last picture that was taken of a stream. Small, so it lies here and comes and goes with its stream.
create table live_posters (
  project_id bigint primary key,
  account_id bigint not null,
  -- A JPEG.
  picture bytea not null,
  taken_at timestamptz not null,
  foreign key (account_id, project_id) references live_streams (account_id, project_id) on delete cascade
);
