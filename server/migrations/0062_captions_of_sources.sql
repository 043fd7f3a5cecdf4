-- `source`: read from the source of the file; a new source takes them away.
alter table file_captions add column origin text not null default 'upload' check (origin in ('upload', 'source'));

-- What the source has that viewers do not get: [{Code, Message}].
alter table media_files add column warnings jsonb not null default '[]';
-- The source whose captions were read; null = none was.
alter table media_files add column captions_read_of text;

-- Records that were rendered before say so too.
update media_files
  set record = regexp_replace(
      substr(record, 1, length(record) - 1) || ',"Warnings":[]}',
      '(/captions/[0-9a-f-]{36}\.vtt")\}', '\1,"Origin":"upload"}', 'g'),
    version = version + 1
  where record like '{%}';
