import { expect, test } from 'vitest'
import { createCueMover } from './caption-look.ts'
import { chapterAt } from './chapters.ts'
import { clockText, parseClock } from './clock-text.ts'
import { inkOn } from './color.ts'
import { parseStoryboard, tileAt } from './storyboard.ts'

test.each([
  [0, '0:00'],
  [-3, '0:00'],
  [59.6, '1:00'],
  [3_723, '1:02:03'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text)
})

test.each([
  ['90', 90],
  ['1:30', 90],
  ['1:02:03.5', 3_723.5],
  ['1m30s', 90],
  ['2h', 7_200],
  ['1h2m3s', 3_723],
  ['h', null],
  ['30s1m', null],
  ['', null],
  ['1:2:3:4', null],
  ['-1', null],
])('parses %s as %s seconds', (text, seconds) => {
  expect(parseClock(text)).toBe(seconds)
})

test.each([
  ['#000000', '#fff'],
  ['#ffffff', '#000'],
  ['#2f6fdd', '#fff'],
  ['#ff0', '#000'],
] as const)('on %s the text colour is %s', (color, ink) => {
  expect(inkOn(color)).toBe(ink)
})

test('a time belongs to the last chapter that has started', () => {
  const chapters = [
    { startSeconds: 5, title: 'a' },
    { startSeconds: 9, title: 'b' },
  ]
  expect([4, 5, 8.9, 9, 99].map((seconds) => chapterAt(chapters, seconds)?.title)).toEqual([
    undefined,
    'a',
    'a',
    'b',
    'b',
  ])
})

test('a storyboard is parsed, with URLs relative to its own', () => {
  const text = `WEBVTT

00:00:00.000 --> 00:00:02.000
storyboard/x.jpg#xywh=0,0,160,90

01:00:02.000 --> 01:00:04.000
storyboard/x.jpg#xywh=160,90,160,90
`
  const tiles = parseStoryboard(text, 'https://a.example/s/t/v/id/storyboard.vtt')
  expect(tiles).toMatchObject([
    { startSeconds: 0, sheet: 'https://a.example/s/t/v/id/storyboard/x.jpg', x: 0, width: 160 },
    { startSeconds: 3_602, x: 160, y: 90, height: 90 },
  ])
  expect(tileAt(tiles, 3_601)?.x).toBe(0)
  expect(tileAt(tiles, 9_999)?.x).toBe(160)
  expect(parseStoryboard('<html>', 'https://a.example')).toEqual([])
})

test('captions at the top move back to the bottom, and captions with their own position stay', () => {
  const cues: { line: 'auto' | number }[] = [{ line: 'auto' }, { line: 3 }]
  const move = createCueMover()
  expect(move(cues, true)).toEqual([cues[0]])
  expect(cues).toEqual([{ line: 0 }, { line: 3 }])
  expect(move(cues, true)).toEqual([])
  expect(move(cues, false)).toEqual([cues[0]])
  expect(cues).toEqual([{ line: 'auto' }, { line: 3 }])
})
