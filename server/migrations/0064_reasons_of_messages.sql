-- The reason and params of a message beside its English text, from which clients render other languages. Null in
-- rows of older releases.
alter table media_files add column error_reason text, add column error_params jsonb;
alter table live_log add column reason text, add column params jsonb;

-- Records that were rendered before have the fields, too.
update media_files
  set record = substr(record, 1, length(record) - 1) || ',"ErrorReason":null,"ErrorParams":null}',
    version = version + 1
  where record like '{%}';
