-- Keys that sign playout links. A rotation adds one, and the earlier ones stay valid until ends_at.
create table link_keys (
  id int primary key check (id between 1 and 1000000),
  -- Keys of the preview and of the viewer tokens, 32 bytes each.
  sealed_keys bytea not null,
  created_at timestamptz not null default now(),
  active_from timestamptz not null,
  ends_at timestamptz
);

-- Links that were revoked before their end. Ids are random and unique over all accounts.
create table revoked_links (
  token_id text primary key,
  account_id bigint not null references accounts,
  revoked_at timestamptz not null default now(),
  -- No link is valid beyond this time.
  drop_at timestamptz not null
);
create index revoked_links_by_time on revoked_links (revoked_at);
create index revoked_links_by_end on revoked_links (drop_at);
create index revoked_links_of_account on revoked_links (account_id);
