-- Whether the source's video carries CTA-608 or CTA-708 captions; null = not known, also of audio.
alter table renditions add column has_closed_captions boolean;
