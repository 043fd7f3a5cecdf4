import { expect, test } from 'vitest'
import { makeRow } from './row.ts'
import { formatTable } from './table.ts'

test('a goal for the ratio is judged by the ratio, and one for the value by the value', () => {
  const limit = { name: 'raw', value: 100 }
  expect(
    makeRow({ name: 'a', value: 30, unit: '/s', limit, goal: { of: 'ratio', atLeast: 0.3 } }),
  ).toMatchObject({
    ratio: 0.3,
    goal: 'ratio ≥ 0.3',
    isMet: true,
  })
  expect(makeRow({ name: 'a', value: 0.6, unit: 's', goal: { of: 'value', atMost: 0.5 } })).toMatchObject({
    ratio: null,
    goal: '≤ 0.5 s',
    isMet: false,
  })
})

test('a given ratio of pairs takes precedence over the quotient of the medians', () => {
  const row = makeRow({ name: 'a', value: 30, unit: '/s', limit: { name: 'raw', value: 100 }, ratio: 0.4 })
  expect(row).toMatchObject({ ratio: 0.4, goal: null, isMet: null })
})

test('the table marks missed goals and lists the notes below', () => {
  const goal = { of: 'value', atMost: 1 } as const
  const table = formatTable([makeRow({ name: 'slow', value: 2, unit: 's', goal, note: 'why' })])
  expect(table).toMatch(/\| slow +\| 2.00 s .*\| ≤ 1 s +\| NO +\|/)
  expect(table).toContain('- slow: why')
})
