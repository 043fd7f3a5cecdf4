-- What lists of files are filtered, searched and sorted by: a narrow copy of media_files, kept by triggers so that no writer can forget
-- it. Counting and sorting read some hundred bytes a file here, where the files with their records have kilobytes.

-- Folds what people do not tell apart when they search: case, accents, ligatures, width. Depends on neither the locale nor the extensions
-- of the server: letters are taken apart (NFKD), marks dropped, and the capitals of Latin, Greek and Cyrillic translated.
create function fold_text(text text) returns text language sql immutable strict parallel safe as $$
  select case when plain ~ '^[\u0001-\u007f]*$' then lower(plain collate "C")
  else normalize(
    replace(replace(replace(replace(
      translate(
        lower(plain collate "C"),
        'ĐÐŁØĦŦŊÆŒẞÞđðłøħŧŋıΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЂЈЉЊЋЏҐ',
        'ddlohtŋæœßþddlohtŋiαβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяєіђјљњћџґ'
      ), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'),
    nfkc)
  end
  from (select regexp_replace(normalize(text, nfkd), '[\u0300-\u036f]', '', 'g') as plain) as one
$$;

-- The distinct words of a text. Spaces and punctuation part words; an emoji, an ideograph or a kana is a word of its own, because nothing
-- stands between them.
create function search_words(text text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct left(word, 100)), '{}')
  from regexp_split_to_table(
    regexp_replace(
      fold_text(text),
      '([\u2190-\u2bff\u3040-\u30ff\u3400-\u9fff\U0001F000-\U0001FAFF\U00020000-\U0003FFFF])', ' \1 ', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f]+') as word
  where word <> ''
$$;

-- Every term begins with the project, so that a search walks through the index entries of this project alone: `7:word` a word, `7#tag`
-- a whole tag, `7/category/3` and `7/videotype/3` what the file belongs to.
create function file_terms(project_id bigint, file_name text, metadata jsonb) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select project_id || ':' || word from unnest(search_words(
        concat_ws(' ', metadata->>'Title', metadata->>'Description', metadata->>'Tags', file_name))) as word
    )
    || array(select project_id || '#' || fold_text(tag) from jsonb_array_elements_text(metadata->'Tags') as tag)
    || array(select project_id || '/category/' || (one->>'Id') from jsonb_array_elements(metadata->'Category') as one)
    || array(select project_id || '/videotype/' || (one->>'Id') from jsonb_array_elements(metadata->'Videotype') as one)
  )
$$;

-- Finds files that have a word beginning with each word of the text; null, which finds nothing, when there is no word in it.
create function words_query(project_id bigint, text text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('''' || project_id || ':' || word || ''':*', ' & ')::tsquery from unnest(search_words(text)) as word
$$;

-- Finds files that have any of these terms; `kind` is what stands between the project and the name.
create function any_term_query(project_id bigint, kind text, names text[]) returns tsquery
language sql immutable strict parallel safe as $$
  select string_agg(
    '''' || replace(replace(project_id || kind || fold_text(name), '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
  from unnest(names) as name
$$;

create table file_list (
  account_id bigint not null,
  project_id bigint not null,
  file_id bigint not null,
  version bigint not null,
  -- The transaction that wrote this row: tells whether anything has changed in a project since a snapshot was taken.
  changed_in xid8 not null default pg_current_xact_id(),
  state text not null,
  release_status text not null,
  use_encoding boolean not null,
  is_deleted boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What lists are sorted by is never null: -1 where there is no length or size, below all that have one.
  title text collate "C" not null,
  length double precision not null,
  size bigint not null,
  terms tsvector not null,
  primary key (project_id, file_id),
  unique (account_id, file_id),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index file_list_by_change on file_list (project_id, changed_in);
create index file_list_by_id on file_list (project_id, file_id) where not is_deleted;
create index file_list_by_update on file_list (project_id, updated_at, file_id) where not is_deleted;
create index file_list_by_title on file_list (project_id, title, file_id) where not is_deleted;
create index file_list_by_length on file_list (project_id, length, file_id) where not is_deleted;
create index file_list_by_size on file_list (project_id, size, file_id) where not is_deleted;
-- Entries that wait to be sorted in are read by every search: few of them.
create index file_list_by_terms on file_list using gin (terms) with (gin_pending_list_limit = 256);

-- How many live files of a project lie in each run of 1024 ids: a page deep in the list is found by adding up, not by walking there.
create table file_blocks (
  project_id bigint not null references projects on delete cascade,
  block bigint not null,
  file_count bigint not null,
  primary key (project_id, block)
) with (fillfactor = 50);

-- The file as it stands in the list.
create function listed_file(file media_files) returns file_list language sql stable as $$
  select (
    file.account_id, file.project_id, file.id, file.version, pg_current_xact_id(), file.state,
    coalesce(file.metadata->>'ReleaseStatus', ''), file.use_encoding, file.deleted_at is not null, file.created_at, file.updated_at,
    left(fold_text(coalesce(file.metadata->>'Title', '')), 200),
    coalesce((file.properties->>'Length')::double precision, -1), coalesce((file.properties->>'Size')::numeric::bigint, -1),
    file_terms(file.project_id, file.original_file_name, file.metadata)
  )::file_list
$$;

-- A project's row is locked before all that belongs to it, here as everywhere, so that no two transactions wait for each other.
create function list_new_files() returns trigger language plpgsql as $$
begin
  insert into file_list select (listed).* from (select listed_file(f) as listed from added f offset 0) one;
  perform 1 from projects where id in (select project_id from added) order by id for no key update;
  insert into file_blocks as known (project_id, block, file_count)
  select project_id, id >> 10, count(*) from added where deleted_at is null group by 1, 2 order by 1, 2
  on conflict (project_id, block) do update set file_count = known.file_count + excluded.file_count;
  return null;
end
$$;
create trigger list_new_files after insert on media_files referencing new table as added
for each statement execute function list_new_files();

create function list_changed_file() returns trigger language plpgsql as $$
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
    size = coalesce((new.properties->>'Size')::numeric::bigint, -1)
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
-- Not for what is rendered from the rest.
create trigger list_changed_file after update on media_files for each row when (
  row(old.version, old.state, old.use_encoding, old.deleted_at, old.updated_at, old.metadata, old.properties, old.original_file_name)
  is distinct from
  row(new.version, new.state, new.use_encoding, new.deleted_at, new.updated_at, new.metadata, new.properties, new.original_file_name)
) execute function list_changed_file();

insert into file_list select (listed).* from (select listed_file(f) as listed from media_files f offset 0) one;
insert into file_blocks (project_id, block, file_count)
select project_id, id >> 10, count(*) from media_files where deleted_at is null group by 1, 2;
