-- People may sign in by the identity provider of their account.
alter table identity_providers
  add column sign_in_is_enabled boolean not null default false,
  -- Null: the client that deliveries are signed for.
  add column sign_in_client_id text,
  add column sealed_sign_in_secret bytea,
  -- Why nobody can sign in; null while the provider serves us.
  add column sign_in_failure text,
  add column sign_in_failed_at timestamptz;

-- Who a user is at a provider, learned at the first sign-in: addresses are given to other people, subjects are not. Some providers name a
-- person differently to each client.
create table user_identities (
  account_id bigint not null,
  issuer text not null,
  client_id text not null,
  subject text not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (account_id, issuer, client_id, subject),
  unique (account_id, user_id, issuer, client_id),
  foreign key (account_id, user_id) references users (account_id, id)
);

-- Sign-ins by a provider that came back: none counts twice. Only the hashes of their states.
create table used_sign_in_states (
  state_hash bytea primary key,
  account_id bigint not null references accounts on delete cascade,
  used_at timestamptz not null default now()
);
create index used_sign_in_states_by_age on used_sign_in_states (used_at);

-- By which somebody whose address nobody has is told nothing else than a neighbour.
create index users_by_domain on users (lower(split_part(email, '@', 2))) where deleted_at is null;
