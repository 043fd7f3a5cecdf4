-- PostgreSQL stores the length of a term in 11 bits and cuts a longer term without an error, also within a character. A backup with
-- such a term cannot be restored. A tag can become this long because folding turns one character into up to 18.
create or replace function file_terms(project_id bigint, file_name text, metadata jsonb) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select project_id || ':' || word from unnest(search_words(
        concat_ws(' ', metadata->>'Title', metadata->>'Description', metadata->>'Tags', file_name))) as word
    )
    || array(
      select term
      from (select project_id || '#' || fold_text(tag) as term from jsonb_array_elements_text(metadata->'Tags') as tag) as tags
      where octet_length(term) <= 2046
    )
    || array(select project_id || '/category/' || (one->>'Id') from jsonb_array_elements(metadata->'Category') as one)
    || array(select project_id || '/videotype/' || (one->>'Id') from jsonb_array_elements(metadata->'Videotype') as one)
    || exact_terms(project_id, metadata)
  )
$$;

-- Folding makes a text at most eleven times as long in bytes, so shorter tags need not be folded to find the long ones.
update file_list l set terms = file_terms(f.project_id, f.original_file_name, f.metadata)
from media_files f
where f.project_id = l.project_id and f.id = l.file_id and exists (
  select from jsonb_array_elements_text(f.metadata->'Tags') as tag
  where octet_length(tag) > 180 and octet_length(fold_text(tag)) > 2000
);
