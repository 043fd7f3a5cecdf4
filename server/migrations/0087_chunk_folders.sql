-- Each claim of an encode chunk has blobs of its own, so a run that lost its claim cannot change published segments.
alter table encode_chunks
  add column attempt integer not null default 0,
  add column delivered_at timestamptz;
comment on column encode_chunks.attempt is 'number of claims so far';
comment on column encode_chunks.delivered_at is 'when the remote worker delivered its newest segment, or got the chunk';

update encode_chunks set attempt = 1 where claim is not null;

alter table renditions add column chunk_folders jsonb;
comment on column renditions.chunk_folders is 'segments that are below media_blob in a folder of their own: [first, end, folder]; null = none';
