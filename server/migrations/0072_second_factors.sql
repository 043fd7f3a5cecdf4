-- Authenticator apps (RFC 6238). `confirmed_at` is null until the user has entered a first code.
create table totp_secrets (
  account_id bigint not null,
  user_id bigint not null,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  -- Time step of the last accepted code. Only later ones are accepted, so that a code works once.
  last_step bigint not null default 0,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id)
);

-- Codes that replace a lost second factor, each once. They have 79 random bits, so a plain hash is enough.
create table recovery_codes (
  account_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, user_id, code_hash),
  foreign key (account_id, user_id) references users (account_id, id)
);

create table passkeys (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  user_id bigint not null,
  credential_id text not null unique,
  public_key bytea not null,
  -- Signatures counted by the authenticator; a lower value than before reveals a copied key.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  foreign key (account_id, user_id) references users (account_id, id)
);
create index passkeys_of_user on passkeys (account_id, user_id, id);

alter table sessions
  add column sign_in_method text not null default 'Password'
    check (sign_in_method in ('Password', 'Passkey', 'IdentityProvider', 'Link')),
  -- When the user last proved a factor. Sensitive acts need a recent one.
  add column confirmed_at timestamptz not null default now();
update sessions set confirmed_at = created_at;

-- Members without a second factor must set one up before they can do anything else.
alter table accounts add column requires_two_factors boolean not null default false;
