import { expect, test } from 'vitest'
import {
  addedRow,
  issuesOf,
  rowsOf,
  sortedRows,
  timeText,
  webVttOf,
} from '../../../console/src/file/chapters/chapter-rows.ts'
import { chaptersOf } from '../../src/library/captions/chapters.ts'
import { parseCaptions } from '../../src/library/captions/text/parse-captions.ts'

const rows = (...pairs: readonly [time: string, title: string][]) =>
  pairs.map(([time, title]) => ({ ...addedRow(0), time, title }))
const pairsOf = (webVtt: string) => rowsOf(webVtt).map(({ time, title }) => [time, title])

test.each([
  [0, '0:00'],
  [5_000, '0:05'],
  [95_500, '1:35.5'],
  [4_523, '0:04.523'],
  [3_723_040, '1:02:03.04'],
])('%i milliseconds are formatted as %s', (milliseconds, text) => {
  expect(timeText(milliseconds)).toBe(text)
})

test('WebVTT of the API becomes rows, and rows become WebVTT', () => {
  const webVtt = webVttOf(rows(['1:35.5', 'Tom & <Jerry> -->'], ['0:00', ' Dawn ']), 250.75)
  expect(webVtt).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:01:35.500\nDawn\n\n00:01:35.500 --> 00:04:10.750\nTom &amp; &lt;Jerry&gt; --&gt;\n',
  )
  expect(pairsOf(webVtt)).toEqual([
    ['0:00', 'Dawn'],
    ['1:35.5', 'Tom & <Jerry> -->'],
  ])
  expect(chaptersOf(parseCaptions(webVtt))).toEqual([
    { startSeconds: 0, title: 'Dawn' },
    { startSeconds: 95.5, title: 'Tom & <Jerry> -->' },
  ])
})

test('chapters with cue settings and other WebVTT features are read', () => {
  expect(
    pairsOf(
      'WEBVTT\r\n\r\nsecond\r\n01:00.000 --> 02:00.000 align:start\r\n<b>In the</b>\r\nvalley\r\n\r\n00:10.000 --> 01:00.000\r\nDawn\r\n',
    ),
  ).toEqual([
    ['0:10', 'Dawn'],
    ['1:00', 'In the valley'],
  ])
  expect(pairsOf('WEBVTT\n')).toEqual([])
})

test.each([
  ['soon', 'Dawn', { time: 'noTime', title: null }],
  ['', '', { time: 'noTime', title: 'noTitle' }],
  ['1:00', 'Dawn', { time: 'late', title: null }],
  ['0:59.999', '  ', { time: null, title: 'noTitle' }],
  ['0:05.0', 'Dawn', { time: 'twice', title: null }],
] as const)('validates a chapter at %j with the title %j', (time, title, issues) => {
  expect(issuesOf(rows(['5', 'First'], [time, title]), 60)[1]).toEqual(issues)
})

test('rows are sorted by time, rows without a time last', () => {
  const sorted = sortedRows(rows(['soon', 'a'], ['1:00', 'b'], ['59', 'c'], ['1:00.0', 'd']))
  expect(sorted.map(({ title }) => title)).toEqual(['c', 'b', 'd', 'a'])
})

test('the last chapter of a file of unknown duration has an end', () => {
  expect(webVttOf(rows(['9:00', 'Late']), null)).toContain('00:09:00.000 --> 00:09:01.000')
  expect(issuesOf(rows(['9:00', 'Late']), null)).toEqual([{ time: null, title: null }])
})
