import type { Message } from '@zoetrope/vocabulary'
import type { TextTrack, UnusedSubtitles } from '@zoetrope/ffmpeg'
import { messageFields, newMessage } from '../../../platform/base/message.ts'
import { englishLanguageName } from '../../../library/captions/caption-language.ts'
import type { FileWarning } from '../../../platform/db/tables/files.ts'

/** Limits the size of the record, which contains the warnings. */
const maxWarnings = 20

const formatNames: Record<string, string> = {
  hdmv_pgs_subtitle: 'PGS',
  dvd_subtitle: 'VobSub',
  dvb_subtitle: 'DVB',
  xsub: 'XSUB',
  dvb_teletext: 'teletext',
  ttml: 'TTML',
}

/** `track` is the English name; clients make theirs of `language` and `title`. */
const trackParams = ({ language, title }: Pick<TextTrack, 'language' | 'title'>) => {
  const name = language === 'und' ? 'of unknown language' : `in ${englishLanguageName(language) ?? language}`
  const shortTitle = title === null ? null : Array.from(title).slice(0, 60).join('')
  return {
    track: shortTitle === null ? name : `${name} ("${shortTitle}")`,
    language,
    ...(shortTitle !== null && { title: shortTitle }),
  }
}

const warning = (Code: FileWarning['Code'], message: Message): FileWarning => ({
  Code,
  ...messageFields(message),
})

const warningOf = (unused: UnusedSubtitles): FileWarning => {
  const format = formatNames[unused.codec] ?? unused.codec
  const track = trackParams(unused)
  switch (unused.reason) {
    case 'picture':
      return warning('subtitles_not_converted', newMessage('subtitles_are_pictures', { ...track, format }))
    case 'unsupported':
      return warning(
        'subtitles_not_converted',
        newMessage('subtitles_in_unknown_format', { ...track, format }),
      )
    case 'same_language':
      return warning('subtitles_left_out', newMessage('subtitles_of_same_language', track))
    case 'too_many':
      return warning('subtitles_left_out', newMessage('too_many_subtitles', track))
  }
}

export const warningsOf = (unused: readonly UnusedSubtitles[]): FileWarning[] =>
  unused.slice(0, maxWarnings).map(warningOf)

export const convertedInVain = (track: Pick<TextTrack, 'language' | 'title'>): FileWarning =>
  warning('subtitles_not_converted', newMessage('subtitles_damaged', trackParams(track)))

export const captionsNotConverted = warning(
  'closed_captions_not_converted',
  newMessage('closed_captions_not_converted'),
)
