-- Concurrently: a replay looks up the newest event of each ordering key. Live events have no file, and a file can have very many views.
drop index concurrently if exists events_of_ordering_key;
create index concurrently events_of_ordering_key
  on events (account_id, (case subject when 'Live' then -project_id when 'View' then null else file_id end), id)
  where (case subject when 'Live' then -project_id when 'View' then null else file_id end) is not null;
