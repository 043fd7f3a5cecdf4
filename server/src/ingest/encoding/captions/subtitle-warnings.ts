import type { TextTrack, UnusedSubtitles } from '@zoetrope/ffmpeg'
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

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

const describe = ({ language, title }: Pick<TextTrack, 'language' | 'title'>): string => {
  const name = language === 'und' ? 'of unknown language' : `in ${englishNames.of(language) ?? language}`
  return title === null ? name : `${name} ("${Array.from(title).slice(0, 60).join('')}")`
}

const upload = 'Upload them as WebVTT or SubRip.'

const warningOf = (unused: UnusedSubtitles): FileWarning => {
  const format = formatNames[unused.codec] ?? unused.codec
  const which = `subtitles ${describe(unused)}`
  switch (unused.reason) {
    case 'picture':
      return {
        Code: 'subtitles_not_converted',
        Message: `The source has ${which} as pictures (${format}), which cannot be converted to text. ${upload}`,
      }
    case 'unsupported':
      return {
        Code: 'subtitles_not_converted',
        Message: `The source has ${which} in a format (${format}) that cannot be converted. ${upload}`,
      }
    case 'same_language':
      return {
        Code: 'subtitles_left_out',
        Message: `The source has more ${which}. A file has one track of each kind in a language.`,
      }
    case 'too_many':
      return {
        Code: 'subtitles_left_out',
        Message: `The source has more ${which}, beyond the number of tracks that is read. ${upload}`,
      }
  }
}

export const warningsOf = (unused: readonly UnusedSubtitles[]): FileWarning[] =>
  unused.slice(0, maxWarnings).map(warningOf)

export const convertedInVain = (track: Pick<TextTrack, 'language' | 'title'>): FileWarning => ({
  Code: 'subtitles_not_converted',
  Message: `The subtitles ${describe(track)} of the source are damaged or too large to be converted. ${upload}`,
})

export const captionsNotConverted: FileWarning = {
  Code: 'closed_captions_not_converted',
  Message:
    'The video of the source carries closed captions that cannot be converted: only CTA-608 captions of the first channel (CC1) can.',
}
