-- Bytes of an unfinished upload are on the disk of one api node. Only that node can tell the offset; null until the first byte arrives.
alter table uploads
  add column staged_on text,
  add column staged_by text;
alter table upload_parts
  add column staged_on text,
  add column staged_by text;
comment on column uploads.staged_on is 'disk.name of the data folder that holds the bytes';
comment on column uploads.staged_by is 'host name of that node, for the log';
comment on column upload_parts.staged_on is 'disk.name of the data folder that holds the bytes';
comment on column upload_parts.staged_by is 'host name of that node, for the log';
