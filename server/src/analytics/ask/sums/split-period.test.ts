import { expect, test } from 'vitest'
import { nextOf } from './period.ts'
import { splitPeriod } from './split-period.ts'

const at = (text: string): Date => new Date(`${text}:00Z`)
const now = at('2026-11-24T01')
const read = (from: string, to: string, unit: 'day' | 'month') => {
  const { whole, edges } = splitPeriod({ from: at(from), to: at(to) }, unit, now)
  const text = (one: Date): string => one.toISOString().slice(0, 13).replace(/T00$/, '')
  return [
    ...(whole === null ? [] : [`${unit}s ${text(whole.from)} ${text(whole.to)}`]),
    ...edges.map(({ from: start, to: end, sign }) => `${sign > 0 ? '+' : '-'} ${text(start)} ${text(end)}`),
  ]
}

test.each([
  ['whole months', '2026-03-01T00', '2026-06-01T00', ['months 2026-03-01 2026-06-01']],
  [
    'short edges',
    '2026-02-25T00',
    '2026-06-04T00',
    [...['months 2026-03-01 2026-06-01', '+ 2026-02-25 2026-03-01', '+ 2026-06-01 2026-06-04']],
  ],
  [
    'long edges',
    '2026-02-04T00',
    '2026-06-28T00',
    [...['months 2026-02-01 2026-07-01', '- 2026-02-01 2026-02-04', '- 2026-06-28 2026-07-01']],
  ],
  [
    'the current month',
    '2026-10-01T00',
    '2026-11-25T00',
    ['months 2026-10-01 2026-12-01', '- 2026-11-25 2026-12-01'],
  ],
  ['a part of a month', '2026-03-10T00', '2026-03-20T00', ['+ 2026-03-10 2026-03-20']],
  [
    'most of a month',
    '2026-03-02T00',
    '2026-03-31T00',
    [...['months 2026-03-01 2026-04-01', '- 2026-03-01 2026-03-02', '- 2026-03-31 2026-04-01']],
  ],
  ['two halves', '2026-03-20T00', '2026-04-10T00', ['+ 2026-03-20 2026-04-01', '+ 2026-04-01 2026-04-10']],
] as const)('a period of %s is read from few rows', (_name, from, to, parts) => {
  expect(read(from, to, 'month')).toEqual(parts)
})

test('hours at the ends of a period are added to whole days, or subtracted', () => {
  expect(read('2026-03-01T20', '2026-03-05T02', 'day')).toEqual([
    ...['days 2026-03-02 2026-03-05', '+ 2026-03-01T20 2026-03-02', '+ 2026-03-05 2026-03-05T02'],
  ])
  expect(read('2026-03-01T02', '2026-03-04T23', 'day')).toEqual([
    ...['days 2026-03-01 2026-03-05', '- 2026-03-01 2026-03-01T02', '- 2026-03-04T23 2026-03-05'],
  ])
})

test('the parts of any period add up to it', () => {
  const dayMs = 86_400_000
  const first = at('2026-01-01T00').getTime()
  const dayAt = (day: number): Date => new Date(first + day * dayMs)
  for (let start = 0; start < 100; start += 1)
    for (let end = start + 1; end < 420; end += 1) {
      const period = { from: dayAt(start), to: dayAt(end) }
      const { whole, edges } = splitPeriod(period, 'month', now)
      const counts = new Int8Array(480)
      const add = (from: Date, to: Date, sign: number): void => {
        for (let ms = from.getTime(); ms < to.getTime(); ms += dayMs) counts[(ms - first) / dayMs]! += sign
      }
      if (whole !== null) add(whole.from, whole.to, 1)
      for (const edge of edges) add(edge.from, edge.to, edge.sign)
      if (!counts.every((count, day) => count === (day >= start && day < end ? 1 : 0)))
        expect.fail(JSON.stringify({ period, whole, edges }))
      if (whole !== null && nextOf(whole.from, 'month') > whole.to) expect.fail('less than a month')
    }
})
