/** English text of each reason of a MediaError. */
export const mediaMessageTexts = {
  file_not_media: 'The file is not a video or audio file.',
  file_format_not_accepted:
    'The file is not of an accepted video or audio format, such as MP4, MOV, MKV, WebM or MP3.',
  file_without_tracks: 'The file contains neither audio nor video.',
  file_encrypted: 'The file is encrypted (DRM) and cannot be processed.',
  file_codec_not_supported: 'The file uses a codec that is not supported.',
  file_without_data: 'The file is incomplete: it contains no audio or video data.',
  file_index_missing:
    'The file is incomplete: its index is missing. The recording or export was probably interrupted.',
  file_index_unreadable: 'The file is damaged: its index cannot be read.',
  file_index_contradicted:
    'The file is damaged: its content differs from its index. Retry the encoding, or export the file again and upload the new version.',
  file_tracks_unreadable: 'The file is damaged: its tracks cannot be read.',
  file_content_unreadable: 'The file is damaged: its content could not be decoded.',
  file_video_unreadable: 'The file is damaged: its video could not be decoded.',
  file_audio_unreadable: 'The file is damaged: its audio could not be decoded.',
  file_crashes_decoder: 'The file is damaged in a way that makes its decoder fail.',
  file_not_read_to_end: 'The file could not be read to its end by {program}; it may be damaged.',
  file_has_too_many_tracks: 'The file describes more tracks than can be read.',
  file_longer_than_hours: 'The file is longer than {hours} hours, the limit of this server.',
  file_longer_than_seconds: 'The file is longer than {seconds} seconds, the limit of this server.',
  picture_exceeds_pixel_limit: 'The picture is larger than 50 megapixels.',
  result_too_large: 'The result is larger than allowed.',
  processing_too_long: 'Processing the file took longer than the {seconds} seconds allowed.',
  processing_used_too_much_cpu:
    'Processing the file used more than the {seconds} seconds of processor time allowed.',
  processing_stalled: 'Processing the file made no progress for {seconds} seconds.',
  too_complex:
    'The file is too complex to process: reading it takes more memory than is allowed. Export it again and upload the new version.',
  disk_space_used_up: 'The disk is full.',
  program_not_opened: 'A file or program could not be opened.',
  program_not_started:
    '{program} does not start on this server. The operator can find the cause with ./zoetrope doctor.',
  program_unsuitable:
    'The ffmpeg of this server lacks a function that Zoetrope needs. The operator can find it with ./zoetrope doctor.',
  program_killed: '{program} was ended from outside ({signal}). The machine may be short of memory.',
  output_not_written: 'The encoded stream could not be written: its reader disconnected.',
  input_broke_off: 'The input ended too early.',
  work_cancelled: 'The work was cancelled.',
} as const
