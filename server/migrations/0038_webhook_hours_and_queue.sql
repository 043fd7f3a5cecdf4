-- How the requests of a webhook went in each hour, for charts: how many were delivered, how many failed, and how many of those that were
-- answered took how long (one count for each step of latency-steps.ts). The engine adds to it every few seconds; kept for three days.
create table webhook_hours (
  webhook_id bigint not null,
  account_id bigint not null,
  hour timestamptz not null,
  delivered_count bigint not null,
  failed_count bigint not null,
  latency_counts integer[] not null,
  primary key (webhook_id, hour),
  foreign key (account_id, webhook_id) references webhooks (account_id, id)
) with (fillfactor = 50);
create index webhook_hours_by_hour on webhook_hours (hour);

-- The encode queue in its order, and its length by project, read from the index alone. Of what plays while it arrives nothing is queued yet.
-- Under another name first: what drops an index shuts readers out until the end, and building takes longest.
create index media_files_queue on media_files (account_id, (encoding_priority * 1000000000000 - id), id, project_id)
  where deleted_at is null and arriving_upload is null
    and (state in ('uploaded', 'encoding', 'playable') or rework is not null or (state = 'created' and source_blob is not null));
drop index media_files_in_work;
alter index media_files_queue rename to media_files_in_work;
