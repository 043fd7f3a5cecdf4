import { expect, test } from 'vitest'
import { parseChapters, parseOptions } from './options.ts'

test('an empty query gives the default options', () => {
  expect(parseOptions('')).toEqual({
    autoplay: null,
    isPreloaded: false,
    muted: null,
    loop: false,
    startSeconds: 0,
    hasControls: true,
    hasKeys: true,
    hasLogo: true,
    hasHeatMap: true,
    isRemembering: true,
    share: null,
    captions: null,
    audioLanguage: null,
    color: null,
    language: null,
    chapters: [],
    hostOrigin: null,
  })
})

test.each([
  ['autoplay', { autoplay: true }],
  ['autoplay=0', { autoplay: false }],
  ['autoplay=false&muted=1&loop=true', { autoplay: false, muted: true, loop: true }],
  ['start=1:02.5', { startSeconds: 62.5 }],
  ['start=90', { startSeconds: 90 }],
  ['t=90', { startSeconds: 90 }],
  ['t=1m30s', { startSeconds: 90 }],
  ['t=1h2m3s&start=5', { startSeconds: 3_723 }],
  ['t=45S', { startSeconds: 45 }],
  ['t=m', { startSeconds: 0 }],
  ['start=-4', { startSeconds: 0 }],
  ['start=1e9', { startSeconds: 0 }],
  ['controls=0&keys=0', { hasControls: false, hasKeys: false }],
  ['logo=0', { hasLogo: false }],
  ['heatmap=0', { hasHeatMap: false }],
  ['remember=0', { isRemembering: false }],
  ['share=0', { share: false }],
  ['share=https://a.example/show%3Fx=1', { share: 'https://a.example/show?x=1' }],
  ['share=javascript:1', { share: null }],
  ['captions=DE', { captions: { language: 'de' } }],
  ['audio=De-AT', { audioLanguage: 'de-at' }],
  ['captions=off', { captions: { language: null } }],
  ['color=%23E0457B', { color: '#e0457b' }],
  ['color=0af', { color: '#0af' }],
  ['color=red;}', { color: null }],
  ['origin=https://a.example/path', { hostOrigin: 'https://a.example' }],
  ['origin=null', { hostOrigin: null }],
  ['origin=javascript:1', { hostOrigin: null }],
])('?%s', (search, expected) => {
  expect(parseOptions(`?${search}`)).toMatchObject(expected)
})

test.each([
  ['0:00 Dawn|0:12 Midday in the valley', [0, 'Dawn', 12, 'Midday in the valley']],
  [' 30 Last | 5 First ', [5, 'First', 30, 'Last']],
  ['nonsense|12|x y|', []],
  // A crafted URL must not make the parser slow.
  [`0${' '.repeat(8_000)}x${' '.repeat(8_000)}\ny`, [0, `x${' '.repeat(8_000)}\ny`]],
])('chapters %s', (text, expected) => {
  expect(parseChapters(text).flatMap(({ startSeconds, title }) => [startSeconds, title])).toEqual(expected)
})
