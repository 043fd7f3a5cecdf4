-- Sessions of people who sign in. Nothing made any before this migration.
alter table sessions
  -- What the API calls it: the token, and so its hash, is nobody's business.
  add column uuid uuid not null default gen_random_uuid(),
  add column last_used_at timestamptz not null default now(),
  add column address text not null default '',
  add column user_agent text not null default '',
  -- The order in which they were made, for paging.
  add column ordinal bigint generated always as identity;
create unique index sessions_by_uuid on sessions (uuid);
create index sessions_of_user on sessions (account_id, user_id, ordinal desc);

-- Attempts to sign in per e-mail address, per device and per network, whether or not there is such a user. The names are hashed: people type
-- passwords into the wrong field.
create table sign_in_attempts (
  bucket bytea primary key,
  attempt_count integer not null,
  last_attempt_at timestamptz not null,
  blocked_until timestamptz not null
);
create index sign_in_attempts_by_age on sign_in_attempts (last_attempt_at);

-- Links by which a person chooses a password, once: user_id is null for somebody who becomes a user by it.
create table invitations (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  token_hash bytea not null unique,
  -- Who made it, and so answers for the rights that it gives.
  created_by bigint not null,
  user_id bigint,
  email text not null,
  role text check (role in ('Reader', 'Uploader', 'JuniorEditor', 'SeniorEditor', 'Administrator')),
  project_roles jsonb not null default '[]',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  unique (account_id, id),
  check (user_id is not null or role is not null),
  foreign key (account_id, created_by) references users (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index invitations_of_account on invitations (account_id, id desc);
create index invitations_of_user on invitations (account_id, user_id);
create index invitations_by_email on invitations (account_id, email);
create index invitations_expired on invitations (expires_at);

-- Who did what to which record. Names are read from the users themselves, so that one who is forgotten is forgotten here too.
create table audit_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  occurred_at timestamptz not null default now(),
  action text not null,
  -- Null for somebody who was not let in.
  user_id bigint,
  api_key_id uuid,
  session_id uuid,
  address text not null,
  request_id text not null,
  subject text not null,
  subject_id text not null,
  changes jsonb not null default '[]',
  foreign key (account_id, user_id) references users (account_id, id)
);
create index audit_entries_of_account on audit_entries (account_id, id desc);
create index audit_entries_of_user on audit_entries (account_id, user_id, id desc);
create index audit_entries_of_subject on audit_entries (account_id, subject, subject_id, id desc);
create index audit_entries_by_age on audit_entries (occurred_at);
