-- PostgreSQL takes at most 2,046 bytes for a term of a query. A longer one was an error; now it finds nothing.
create or replace function any_term_query(project_id bigint, kind text, names text[]) returns tsquery
language sql immutable strict parallel safe as $$
  select coalesce(
    string_agg('''' || replace(replace(term, '\', '\\'), '''', '''''') || '''', ' | '),
    '''' || project_id || '!none'''
  )::tsquery
  from (select project_id || kind || fold_text(name) as term from unnest(names) as name) as terms
  where octet_length(term) <= 2046
$$;
