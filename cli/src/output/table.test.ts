import { expect, test } from 'vitest'
import { flagName } from '../operations/flag-name.ts'
import { readValue } from '../operations/read-value.ts'
import { tableLines } from './table.ts'
import { textWidth } from './text-width.ts'

const rows = [
  ['Id', 'Title', 'URL'],
  ['1', 'A film about 東京 🎬 and much more', 'https://video.example.com/p/0b7e/main.m3u8'],
  ['20', 'short', '-'],
]

test.each([40, 60, 80, 200])('a table fits into %i columns and aligns its columns', (width) => {
  const lines = tableLines(rows, width)
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
  expect(lines[0]).toMatch(/^Id {2}Title/)
  const start = textWidth((lines[0] ?? '').split('URL')[0] ?? '')
  expect(textWidth((lines[2] ?? '').split('-')[0] ?? '')).toBe(start)
  expect((lines[1] ?? '').includes('…')).toBe(width <= 80)
})

test('without a terminal only very long texts are cut', () => {
  expect(tableLines([['Name'], ['x'.repeat(61)]], undefined)[1]).toBe(`${'x'.repeat(59)}…`)
})

test.each([
  ['TargetURL', 'target-url'],
  ['IABCategory', 'iab-category'],
  ['createdFrom', 'created-from'],
  ['ProjectId', 'project'],
  ['CustomId', 'custom-id'],
])('field %s has the flag --%s', (field, flag) => {
  expect(flagName(field)).toBe(flag)
})

test.each([
  ['2026', 'string', '2026'],
  ['null', 'string', null],
  ['12', 'integer', 12],
  ['1.5', 'number', 1.5],
  ['false', 'boolean', false],
  ['a, b,,', 'strings', ['a', 'b']],
  ['["a,b"]', 'strings', ['a,b']],
  ['1,2', 'integers', [1, 2]],
  ['{"a":1}', 'json', { a: 1 }],
  ['plain text', 'json', 'plain text'],
] as const)('parses %s as %s: %j', (text, type, value) => {
  expect(readValue(text, type, 'Name')).toEqual(value)
})

test.each([
  ['1.5', 'integer'],
  ['', 'number'],
  ['1e999', 'number'],
  ['yes', 'boolean'],
  ['1,x', 'integers'],
] as const)('rejects %s as %s', (text, type) => {
  expect(() => readValue(text, type, 'Name')).toThrow(/^Name must be/)
})
