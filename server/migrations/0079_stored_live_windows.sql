-- The DVR window is in the storage of media, below live/b<id>/. Housekeeping deletes it after the end.
alter table live_broadcasts add column has_stored_window boolean not null default false;
create index live_broadcasts_with_stored_window on live_broadcasts (ended_at) where has_stored_window;
