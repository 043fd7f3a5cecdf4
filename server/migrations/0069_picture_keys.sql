-- Opens a picture whatever the release status of its file. Only records and events contain it: viewers get the
-- address without it, which follows the release rules of the video.
alter table file_pictures add column access_key text not null default replace(gen_random_uuid()::text, '-', '');
update media_files f
  set
    record = replace(
      replace(
        record,
        '/p/' || p.public_id || '/poster.jpg"',
        '/p/' || p.public_id || '/poster.jpg?key=' || p.access_key || '"'
      ),
      '/p/' || p.public_id || '/thumb.jpg"',
      '/p/' || p.public_id || '/thumb.jpg?key=' || p.access_key || '"'
    ),
    version = version + 1
  from file_pictures p
  where p.file_id = f.id and p.is_standard and f.record like '{%}';
