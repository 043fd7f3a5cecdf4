-- A rung on demand whose decoder settings have changed, as by another ffmpeg, also goes on as a new rendition. LadderMode `auto` fills
-- it as before, whereas it leaves evicted rungs alone.
alter table evicted_renditions add column is_relisted boolean not null default false;
comment on column evicted_renditions.is_relisted is 'whether the former rendition was replaced for its decoder settings, and not evicted';
