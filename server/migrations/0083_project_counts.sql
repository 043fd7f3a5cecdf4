-- Counts that are not yet added to projects and file_blocks. A transaction that creates, deletes or changes a file adds to a row that no other
-- transaction holds, so that files of one project never wait for each other. The sum is exact; housekeeping adds the rows up.
create table project_counts (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  file_count bigint not null,
  storage_bytes bigint not null,
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
) with (fillfactor = 50);
create index project_counts_by_project on project_counts (project_id);

create table file_block_counts (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  block bigint not null,
  file_count bigint not null,
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
) with (fillfactor = 50);
create index file_block_counts_by_block on file_block_counts (project_id, block);

create function count_in_block(account bigint, project bigint, file bigint, change bigint) returns void language plpgsql as $$
begin
  update file_block_counts set file_count = file_count + change where id = (
    select id from file_block_counts where project_id = project and block = file >> 10
    limit 1 for no key update skip locked
  );
  if not found then
    insert into file_block_counts (account_id, project_id, block, file_count) values (account, project, file >> 10, change);
  end if;
end
$$;

create or replace function list_new_files() returns trigger language plpgsql as $$
begin
  insert into file_list select (listed).* from (select listed_file(f) as listed from added f offset 0) one;
  perform count_in_block(account_id, project_id, block << 10, file_count) from (
    select account_id, project_id, id >> 10 as block, count(*) as file_count
    from added where deleted_at is null group by 1, 2, 3 order by 2, 3
  ) blocks;
  return null;
end
$$;

create or replace function list_changed_file() returns trigger language plpgsql as $$
declare
  listed file_list;
begin
  if row(old.metadata, old.original_file_name, old.project_id)
    is distinct from row(new.metadata, new.original_file_name, new.project_id) then
    listed := listed_file(new);
    update file_list set project_id = new.project_id, title = listed.title, terms = listed.terms
    where project_id = old.project_id and file_id = new.id;
  end if;
  update file_list set
    version = new.version, changed_in = pg_current_xact_id(), state = new.state,
    release_status = coalesce(new.metadata->>'ReleaseStatus', ''), use_encoding = new.use_encoding,
    is_deleted = new.deleted_at is not null, updated_at = new.updated_at,
    length = coalesce((new.properties->>'Length')::double precision, -1),
    size = coalesce((new.properties->>'Size')::numeric::bigint, -1),
    external_id = new.external_id
  where project_id = new.project_id and file_id = new.id;
  if (old.deleted_at is null) <> (new.deleted_at is null) or old.project_id <> new.project_id then
    if old.deleted_at is null then
      perform count_in_block(old.account_id, old.project_id, old.id, -1);
    end if;
    if new.deleted_at is null then
      perform count_in_block(new.account_id, new.project_id, new.id, 1);
    end if;
  end if;
  return null;
end
$$;
