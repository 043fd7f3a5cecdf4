-- Links to exact thumbnails, animations and audio downloads, in the records of files that are there already.
with kinds as (
  select
    f.id,
    substring(f.record from '"HLS":"([^"]*/v/' || f.playout_id || ')/main\.m3u8"') as base,
    coalesce(bool_or(r.kind = 'video'), false) as has_video,
    coalesce(bool_or(r.kind = 'video' and r.state = 'complete'), false) as has_pictures,
    coalesce(bool_or(r.kind = 'audio' and r.state = 'complete'), false) as has_sound
  from media_files f
  left join renditions r on r.file_id = f.id and r.generation = f.generation and r.state <> 'encoding'
  group by f.id
), links as (
  select
    id,
    case when has_sound and not has_video then '"' || base || '/download.m4a"' end as m4a,
    case when has_pictures then '"' || base || '/thumbnail.jpg"' end as thumbnail,
    case when has_pictures then '"' || base || '/animated.webp"' end as animated
  from kinds
)
update media_files
  set
    record = replace(
      record,
      '"Playouts":[{"Id":"' || playout_id || '",',
      '"Playouts":[{"Id":"' || playout_id || '","M4A":' || coalesce(links.m4a, 'null')
        || ',"ThumbnailURI":' || coalesce(links.thumbnail, 'null')
        || ',"AnimatedURI":' || coalesce(links.animated, 'null') || ','
    ),
    version = version + 1
  from links
  where links.id = media_files.id and record like '{%}';
