-- A deleted project hides its playlists. The job that deletes or restores its files sends their events, once.
alter table playlists add column is_deleted_with_project boolean not null default false;
comment on column playlists.is_deleted_with_project is 'playlist.deleted was sent because the project was deleted';
-- Their deletion is long over.
update playlists set is_deleted_with_project = true
  where deleted_at is null and exists (
    select from projects p where p.id = playlists.project_id and p.deleted_at is not null
  );
