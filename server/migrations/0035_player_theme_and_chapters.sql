-- The colour of the player's controls, for all that a project shows; null = that of the player itself.
alter table projects add column player_color text check (player_color ~ '^#[0-9a-f]{6}$');

-- Chapters are marks in the player and a menu. No player shows them as a text, so they are never the default one.
alter table file_captions drop constraint file_captions_kind_check;
alter table file_captions add constraint file_captions_kind_check
  check (kind in ('subtitles', 'captions') or (kind = 'chapters' and not is_default));
