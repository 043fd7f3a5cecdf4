-- What is burnt into what a project's files are encoded to. Small, so it lies here and comes and goes with its project.
create table project_watermarks (
  project_id bigint primary key,
  account_id bigint not null,
  -- A PNG without anything but pixels.
  picture bytea not null,
  width_pixels integer not null,
  height_pixels integer not null,
  position text not null check (position in ('top-left', 'top-right', 'bottom-left', 'bottom-right')),
  opacity_percent integer not null check (opacity_percent between 1 and 100),
  width_percent integer not null check (width_percent between 1 and 100),
  updated_at timestamptz not null default now(),
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);

-- Since when only the renditions of a file are stored: its project does not keep sources. The key of the blob stays, as with every file whose bytes came once.
alter table media_files add column source_removed_at timestamptz;
