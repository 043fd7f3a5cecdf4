-- Projects that a file was in before, whose folders of the blob store may still hold media of it.
alter table media_files add column former_project_ids bigint[] not null default '{}';

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
    perform 1 from projects where id in (old.project_id, new.project_id) order by id for no key update;
    insert into file_blocks as known (project_id, block, file_count)
    select project_id, new.id >> 10, sum(file_count) from (
      values (old.project_id, case when old.deleted_at is null then -1 else 0 end),
        (new.project_id, case when new.deleted_at is null then 1 else 0 end)
    ) as change (project_id, file_count)
    group by project_id order by project_id
    on conflict (project_id, block) do update set file_count = known.file_count + excluded.file_count;
  end if;
  return null;
end
$$;
