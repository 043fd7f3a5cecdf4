-- A broadcast keeps the type that it began with. Null for those of earlier releases, which have the type of their stream.
alter table live_broadcasts add column kind text check (kind in ('rtmp', 'srt', 'whip', 'rtmp-pull', 'srt-pull', 'hls-pull'));
comment on column live_broadcasts.kind is 'StreamInType at its beginning; a later change takes effect with the next broadcast';
