-- The vocabularies that the metadata of files points to: categories, video types, shares. One sequence of ids for all kinds, so that an id
-- alone says which entry a file refers to.
create table catalog_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  kind text not null check (kind in ('category', 'videotype', 'share')),
  label text not null,
  -- The label as labels are compared and sorted: the lower() of a database in the C locale knows only ASCII.
  label_key text not null,
  -- Empty where there is none.
  custom_id text not null default '',
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id)
);
create unique index catalog_entries_by_label on catalog_entries (account_id, kind, label_key);
create unique index catalog_entries_by_custom_id on catalog_entries (account_id, kind, custom_id) where custom_id <> '';

-- Finds the files that refer to an entry, when it is renamed or deleted: (…) @> '[{"Id": 5}]'.
create index media_files_by_catalog_entry on media_files
  using gin (((metadata -> 'Category') || (metadata -> 'Videotype') || (metadata -> 'Share')) jsonb_path_ops)
  where (metadata -> 'Category') || (metadata -> 'Videotype') || (metadata -> 'Share') <> '[]';
