import { expect, test } from 'vitest'
import { playedAudio } from './audio-tracks.ts'
import type { AudioStream } from './probe.ts'

const track = (index: number, changes: Partial<AudioStream> = {}): AudioStream => ({
  index,
  trackId: null,
  codec: 'aac',
  profile: 'LC',
  channels: 2,
  isPlaced: true,
  sampleRateHz: 48_000,
  bitsPerSecond: null,
  language: null,
  title: null,
  handlerName: null,
  isDefault: false,
  ...changes,
})

const menu = (audio: AudioStream[]): string[] =>
  playedAudio({ audio }).map(({ index, language, label }) => `${index} ${label} ${language ?? '-'}`)

test.each([
  ['ger', 'German de'],
  ['deu', 'German de'],
  ['en-US', 'American English en-US'],
  ['mul', 'Multiple languages mul'],
  ['de-x-sport', 'German de-x-sport'],
  ['en-u-ca-buddhist', 'English en-u-ca-buddhist'],
  ['qaa-x-sport', 'Audio -'],
  ['zxx', 'Audio -'],
  ['qaa', 'Audio -'],
  ['English!', 'Audio -'],
  [null, 'Audio -'],
])('labels a track in %s as %s', (language, words) => {
  expect(menu([track(1, { language })])).toEqual([`1 ${words}`])
})

test('puts the default track first and keeps the order of the others', () => {
  const audio = [track(1), track(2, { language: 'fra' }), track(3, { language: 'eng', isDefault: true })]
  expect(menu(audio)).toEqual(['3 English en', '1 Audio -', '2 French fr'])
})

test('gives each track a unique label', () => {
  const titles = ['Director', 'English 2', null, null]
  const audio = titles.map((title, index) => track(index, { title, language: 'eng' }))
  expect(menu(audio)).toEqual(['0 Director en', '1 English 2 en', '2 English en', '3 English 3 en'])
})

test('uses handler names as labels only when each track has its own', () => {
  const named = (names: string[]) => names.map((handlerName, index) => track(index, { handlerName }))
  expect(menu(named(['SoundHandler', 'SoundHandler']))).toEqual(['0 Audio -', '1 Audio 2 -'])
  expect(menu(named(['Original', 'For the blind']))).toEqual(['0 Original -', '1 For the blind -'])
  expect(menu(named(['SoundHandler']))).toEqual(['0 Audio -'])
})

test('keeps at most eight tracks, including the default track', () => {
  const audio = Array.from({ length: 40 }, (_, index) => track(index, { isDefault: index === 30 }))
  const played = playedAudio({ audio })
  expect(played.map(({ index }) => index)).toEqual([30, 0, 1, 2, 3, 4, 5, 6])
})
