-- References of the customer's own systems.
alter table media_files add column external_id text;
alter table projects add column external_id text;
alter table playlists add column external_id text;
-- A deleted file frees its reference, but one that went with its project keeps it, because it comes back with the project.
create unique index media_files_by_external_id on media_files (project_id, external_id)
  where external_id is not null and (deleted_at is null or is_deleted_with_project);
create unique index projects_by_external_id on projects (account_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index playlists_by_external_id on playlists (account_id, external_id)
  where external_id is not null and deleted_at is null;

-- The key may be any text, so that key and value cannot be told apart without the length.
create function custom_field_hash(key text, value text) returns text language sql immutable strict parallel safe as $$
  select md5(length(key) || ':' || key || value)
$$;

-- Terms that are matched exactly: `7/program/<hash>` and `7/custom/<hash>`. Texts, numbers, booleans and the items of lists can be found.
-- `adsDisabled: false`, which nearly every file has, is left out.
create function exact_terms(project_id bigint, metadata jsonb) returns text[]
language sql immutable parallel safe as $$
  select array(
    select project_id || '/program/' || md5(metadata->>'ProgramId') where metadata->>'ProgramId' <> ''
  ) || array(
    select distinct project_id || '/custom/' || custom_field_hash(field.key, item.value #>> '{}')
    from jsonb_each(metadata->'CustomMetadata') as field,
      jsonb_array_elements(
        case when jsonb_typeof(field.value) = 'array' then field.value else jsonb_build_array(field.value) end
      ) as item
    where jsonb_typeof(item.value) in ('string', 'number', 'boolean')
      and not (field.key = 'adsDisabled' and item.value = 'false')
  )
$$;

create or replace function file_terms(project_id bigint, file_name text, metadata jsonb) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select project_id || ':' || word from unnest(search_words(
        concat_ws(' ', metadata->>'Title', metadata->>'Description', metadata->>'Tags', file_name))) as word
    )
    || array(select project_id || '#' || fold_text(tag) from jsonb_array_elements_text(metadata->'Tags') as tag)
    || array(select project_id || '/category/' || (one->>'Id') from jsonb_array_elements(metadata->'Category') as one)
    || array(select project_id || '/videotype/' || (one->>'Id') from jsonb_array_elements(metadata->'Videotype') as one)
    || exact_terms(project_id, metadata)
  )
$$;

alter table file_list add column external_id text;
create index file_list_by_external_id on file_list (project_id, external_id) where external_id is not null;

create or replace function listed_file(file media_files) returns file_list language sql stable as $$
  select (
    file.account_id, file.project_id, file.id, file.version, pg_current_xact_id(), file.state,
    coalesce(file.metadata->>'ReleaseStatus', ''), file.use_encoding, file.deleted_at is not null, file.created_at, file.updated_at,
    left(fold_text(coalesce(file.metadata->>'Title', '')), 200),
    coalesce((file.properties->>'Length')::double precision, -1), coalesce((file.properties->>'Size')::numeric::bigint, -1),
    file_terms(file.project_id, file.original_file_name, file.metadata), file.external_id
  )::file_list
$$;

create or replace function list_changed_file() returns trigger language plpgsql as $$
declare
  listed file_list;
begin
  if row(old.metadata, old.original_file_name) is distinct from row(new.metadata, new.original_file_name) then
    listed := listed_file(new);
    update file_list set title = listed.title, terms = listed.terms
    where project_id = new.project_id and file_id = new.id;
  end if;
  update file_list set
    version = new.version, changed_in = pg_current_xact_id(), state = new.state,
    release_status = coalesce(new.metadata->>'ReleaseStatus', ''), use_encoding = new.use_encoding,
    is_deleted = new.deleted_at is not null, updated_at = new.updated_at,
    length = coalesce((new.properties->>'Length')::double precision, -1),
    size = coalesce((new.properties->>'Size')::numeric::bigint, -1),
    external_id = new.external_id
  where project_id = new.project_id and file_id = new.id;
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    perform 1 from projects where id = new.project_id for no key update;
    insert into file_blocks as known (project_id, block, file_count)
    values (new.project_id, new.id >> 10, case when new.deleted_at is null then 1 else -1 end)
    on conflict (project_id, block) do update set file_count = known.file_count + excluded.file_count;
  end if;
  return null;
end
$$;

update file_list set terms = file_list.terms || array_to_tsvector(found.terms)
from (
  select project_id, id, exact_terms(project_id, metadata) as terms from media_files
  where metadata->>'ProgramId' <> '' or metadata->'CustomMetadata' is distinct from '{"adsDisabled": false}'
) as found
where file_list.project_id = found.project_id and file_list.file_id = found.id and cardinality(found.terms) > 0;

update media_files
  set record = regexp_replace(record, '^(\{"Id":\d+,"ProjectId":\d+,)', '\1"ExternalId":null,'), version = version + 1
  where record like '{%}';
