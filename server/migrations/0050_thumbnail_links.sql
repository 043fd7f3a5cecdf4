-- Links to exact thumbnails, animations and audio downloads, in the records of files that are there already.
update media_files
  set
    record = regexp_replace(
      record,
      '"HLS":"([^"]*)/main\.m3u8",',
      case
        when exists (
          select from renditions r
          where r.file_id = media_files.id and r.generation = media_files.generation
            and r.kind = 'video' and r.state = 'complete'
        )
          then '"HLS":"\1/main.m3u8","M4A":null,"ThumbnailURI":"\1/thumbnail.jpg","AnimatedURI":"\1/animated.webp",'
        when not exists (
          select from renditions r
          where r.file_id = media_files.id and r.generation = media_files.generation
            and r.kind = 'video' and r.state <> 'encoding'
        ) and exists (
          select from renditions r
          where r.file_id = media_files.id and r.generation = media_files.generation
            and r.kind = 'audio' and r.state = 'complete'
        )
          then '"HLS":"\1/main.m3u8","M4A":"\1/download.m4a","ThumbnailURI":null,"AnimatedURI":null,'
        else '"HLS":"\1/main.m3u8","M4A":null,"ThumbnailURI":null,"AnimatedURI":null,'
      end
    ),
    version = version + 1
  where record like '{%"HLS":"%';

update media_files
  set
    record = replace(record, '"HLS":null,', '"HLS":null,"M4A":null,"ThumbnailURI":null,"AnimatedURI":null,'),
    version = version + 1
  where record like '{%"HLS":null,%' and record not like '%"ThumbnailURI":%';
