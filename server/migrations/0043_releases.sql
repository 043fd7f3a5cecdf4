-- Whether viewers can load the file, as its events have said, and when its publication window changes that next.
alter table media_files add column is_released boolean not null default false;
alter table media_files add column release_changes_at timestamptz;
create index media_files_release_due on media_files (release_changes_at) where release_changes_at is not null;

update media_files set
  is_released = coalesce(public_at <= now(), true),
  release_changes_at = case when public_at > now() then public_at else public_until end
from (
  select id as file_id, (metadata->>'IsPublicAt')::timestamptz as public_at, (metadata->>'IsPublicUntil')::timestamptz as public_until
  from media_files
  where metadata->>'ReleaseStatus' = 'published' and state in ('playable', 'finished', 'degraded') and deleted_at is null
) as published
where id = file_id and coalesce(public_until > now(), true);
