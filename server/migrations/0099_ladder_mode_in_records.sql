-- Records that were rendered before have the fields, too. Metadata, where anybody may use such names, come before the last "Renditions".
update media_files
  set record = substr(record, 1, length(record) - 1) || ',"LadderMode":"eager"}', version = version + 1
  where record like '{%}';
update media_files
  set record = parts.before || regexp_replace(
      regexp_replace(parts.after, '"IsComplete":true,"Codec":', '"IsComplete":true,"State":"ready","Codec":', 'g'),
      '"IsComplete":false,"Codec":', '"IsComplete":false,"State":"partial","Codec":', 'g')
  from (
    select id, (regexp_match(record, '^(.*"Renditions":\[)'))[1] as before,
      (regexp_match(record, '^.*"Renditions":\[(.*)$'))[1] as after
    from media_files where record like '%"IsComplete":%'
  ) parts
  where parts.id = media_files.id and parts.before is not null;
