-- What a POST with an Idempotency-Key came to: its repetitions get the same answer for a day.
create table idempotency_keys (
  account_id bigint not null references accounts,
  -- The API key that asked (or the user of a session): no other may read its answers.
  caller text not null,
  key text not null,
  fingerprint bytea not null,
  created_at timestamptz not null default now(),
  -- Null while a body is still being received: until leased_until, which moves on meanwhile, by the request that claim_id names.
  sealed_answer bytea,
  claim_id uuid,
  leased_until timestamptz,
  primary key (account_id, caller, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- How much of a minute's budget the api processes have taken for a caller. Unlogged: a crash of the database forgets at most one minute.
create unlogged table rate_limit_windows (
  account_id bigint not null references accounts,
  caller text not null,
  kind text not null check (kind in ('reads', 'writes')),
  minute bigint not null,
  taken integer not null,
  primary key (account_id, caller, kind, minute)
) with (fillfactor = 50);
create index rate_limit_windows_by_age on rate_limit_windows (minute);
