-- A file that is deleted or restored changes the playlists that name it.
create index playlists_by_element on playlists using gin (element_file_ids) where deleted_at is null;
