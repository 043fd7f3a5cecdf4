import { expect, test } from 'vitest'
import type { SubtitleStream } from '../probe/probe.ts'
import { planSubtitles } from './text-tracks.ts'

const stream = (index: number, changes: Partial<SubtitleStream> = {}): SubtitleStream => ({
  index,
  codec: 'subrip',
  language: 'eng',
  title: null,
  isForced: false,
  isForDeaf: false,
  ...changes,
})

const plan = (...subtitles: SubtitleStream[]) => planSubtitles({ subtitles })

test('keeps one track per kind and language and prefers full tracks over forced ones', () => {
  const { texts, unused } = plan(
    stream(2, { isForced: true, title: 'Signs' }),
    stream(3),
    stream(4, { title: 'English (SDH)' }),
    stream(5, { language: 'ger', codec: 'ass' }),
    stream(6, { language: 'xx-nonsense-tag-that-nobody-knows' }),
  )
  expect(texts.map(({ streamIndex, language, kind }) => [streamIndex, language, kind])).toEqual([
    [3, 'en', 'subtitles'],
    [4, 'en', 'captions'],
    [5, 'de', 'subtitles'],
    [6, 'und', 'subtitles'],
  ])
  expect(unused).toEqual([{ codec: 'subrip', language: 'en', title: 'Signs', reason: 'same_language' }])
})

test.each([
  ['hdmv_pgs_subtitle', 'picture'],
  ['dvd_subtitle', 'picture'],
  ['dvb_subtitle', 'picture'],
  ['dvb_teletext', 'unsupported'],
  ['unknown', 'unsupported'],
])('does not convert %s (%s)', (codec, reason) => {
  expect(plan(stream(2, { codec, language: null }))).toEqual({
    texts: [],
    unused: [{ codec, language: 'und', title: null, reason }],
  })
})

test('reads at most forty tracks', () => {
  const languages = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'cs', 'da', 'sv', 'fi', 'el', 'hu', 'ro']
  const many = [
    ...languages,
    ...languages.map((language) => `${language}-US`),
    ...languages.map((language) => `${language}-GB`),
  ]
  const { texts, unused } = plan(...many.map((language, index) => stream(index, { language })))
  expect(texts).toHaveLength(40)
  expect(unused.map(({ reason }) => reason)).toEqual(Array(5).fill('too_many'))
})
