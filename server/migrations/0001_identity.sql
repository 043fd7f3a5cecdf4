-- Accounts are tenants. Every other table carries account_id and refers to its parents by (account_id, id),
-- so that a row of one account can never point at a row of another.

create table installation_settings (
  name text primary key,
  value text not null
);

create table accounts (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  email text not null,
  name text not null default '',
  password_hash text,
  role text not null check (role in ('Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator')),
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id)
);
create unique index users_by_email on users (lower(email));

create table signing_keys (
  kid text primary key,
  sealed_private_key bytea not null,
  public_jwk jsonb not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- The token itself is never stored: jti finds the row, last_four lets a person recognise it.
create table api_keys (
  jti uuid primary key,
  account_id bigint not null,
  user_id bigint not null,
  label text not null,
  scopes text[] not null,
  project_ids bigint[],
  last_four text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  foreign key (account_id, user_id) references users (account_id, id)
);
create index api_keys_of_account on api_keys (account_id, created_at desc);

create table sessions (
  token_hash bytea primary key,
  account_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id)
);
create index sessions_expired on sessions (expires_at);
