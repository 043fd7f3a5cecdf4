/** Why a file failed, and what viewers do not get of it. */
export const filesMessages = {
  new_source_unusable: 'The new source could not be used and the file plays as before: {cause}',
  new_source_not_fetched: 'The new source could not be fetched and the file plays as before: {cause}',
  encoding_again_failed: 'It could not be encoded again and plays as before: {cause}',
  file_incomplete:
    'The file is incomplete: it says that it lasts {claimed}, but only the first {played} could be played.',
  file_not_packaged:
    'The file could not be packaged: its content is empty, too short or damaged. Export it again and upload the new version.',
  processing_failed: 'The file could not be processed because of an error on the server. Try again.',
  clip_source_gone: 'The source of the clip is no longer stored.',
  too_many_edits: 'The file has more than 10,000 entries in its edit lists.',
  picture_not_taken: 'The picture could not be taken.',
  picture_not_decoded: 'The picture could not be decoded.',
  storyboard_incomplete: 'The storyboard has {count} pictures instead of {expected}.',
  copy_too_large: 'The copy is much larger than the received part.',
  subtitles_are_pictures:
    'The source has subtitles {track} as pictures ({format}), which cannot be converted to text. Upload them as WebVTT or SubRip.',
  subtitles_in_unknown_format:
    'The source has subtitles {track} in a format ({format}) that cannot be converted. Upload them as WebVTT or SubRip.',
  subtitles_of_same_language:
    'The source has more subtitles {track}. A file has one track of each kind in a language.',
  too_many_subtitles:
    'The source has more subtitles {track}, above the number of tracks that Zoetrope reads. Upload them as WebVTT or SubRip.',
  subtitles_damaged:
    'The subtitles {track} of the source are damaged or too large to be converted. Upload them as WebVTT or SubRip.',
  closed_captions_not_converted:
    'The video of the source carries closed captions that cannot be converted: only CTA-608 captions of the first channel (CC1) can.',
} as const
