create table projects (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  name text not null,
  description text not null default '',
  default_release_status text not null default 'unpublished'
    check (default_release_status in ('draft', 'unpublished', 'published')),
  token_security boolean not null default false,
  allowed_domains jsonb not null default '[]',
  encoder_settings jsonb not null default '{}',
  metadata_fields jsonb not null default '[]',
  is_live boolean not null default false,
  -- Exact counters, kept in the transaction that adds or removes a file: lists never count by scanning.
  file_count bigint not null default 0,
  storage_bytes bigint not null default 0,
  storage_quota_bytes bigint,
  event_sequence bigint not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (account_id, id)
);
create index projects_of_account on projects (account_id, id desc) where deleted_at is null;
