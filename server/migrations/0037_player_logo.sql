-- The logo in a corner of a project's players. What its record says of it; null = none.
alter table projects add column player_logo jsonb;

-- Its picture, as viewers get it. Small, so it lies here.
create table player_logos (
  project_id bigint primary key,
  account_id bigint not null,
  -- In its URL, with a hash of the bytes: what lies under a URL never changes.
  name text not null unique,
  picture bytea not null,
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);

-- A logo is drawn by a worker too. It belongs to no file, so its bytes lie in the request: as they were sent, and as they were drawn.
alter table picture_requests alter column file_id drop not null;
alter table picture_requests
  add column project_id bigint,
  add column sent bytea,
  add column drawn bytea,
  add column width_pixels integer,
  add column height_pixels integer,
  add foreign key (account_id, project_id) references projects (account_id, id) on delete cascade,
  add check (num_nonnulls(file_id, project_id) = 1);
create index picture_requests_of_project on picture_requests (project_id) where project_id is not null;
