-- A rung on demand also becomes a new rendition when another version of ffmpeg writes other decoder settings. LadderMode `auto` fills
-- such a rung as before; it leaves evicted rungs alone until a viewer requests them.
alter table evicted_renditions add column is_relisted boolean not null default false;
comment on column evicted_renditions.is_relisted is 'whether the former rendition was replaced for its decoder settings, and not evicted';
