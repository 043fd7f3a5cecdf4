-- Several audio tracks to choose from: 0 is the one that is heard first of all.
alter table renditions add column position integer not null default 0;
-- What people read in the menu of the player; null = nothing of its own.
alter table renditions add column label text;
-- Which track of media_blob is served in place, by its own number in the file; null = the first of its kind.
alter table renditions add column track_id bigint;
