-- Workers that encode chunks over HTTPS (decision 0021). Like the machines of the installation, they belong to no account.
create table remote_workers (
  id bigint generated always as identity primary key,
  name text not null,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_seen_at timestamptz,
  version text,
  ffmpeg text,
  cores integer,
  slots integer not null default 0,
  done_count bigint not null default 0,
  refused_in_a_row integer not null default 0,
  paused_because text
);
comment on column remote_workers.token_hash is 'SHA-256 of the secret part of the token';
comment on column remote_workers.slots is 'number of chunks that it encodes at a time';
comment on column remote_workers.refused_in_a_row is 'results that did not pass the checks, since the last one that did';
comment on column remote_workers.paused_because is 'it receives no chunks until an operator resumes it; null = not paused';

alter table encode_chunks
  add column worker_id bigint,
  add column leased_until timestamptz,
  add column remote_failures integer not null default 0,
  add column delivered jsonb;
comment on column encode_chunks.worker_id is 'remote worker that holds the claim; null = a local one';
comment on column encode_chunks.leased_until is 'end of the claim of a remote worker, unless it renews it';
comment on column encode_chunks.remote_failures is 'claims of remote workers without a result';
comment on column encode_chunks.delivered is 'segments that the remote worker has delivered, by rendition and index';

create index encode_chunks_to_encode on encode_chunks (state, leased_until) where state <> 'done';
