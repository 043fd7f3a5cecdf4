import { expect, test } from 'vitest'
import { createReadyEstimate } from './estimate-ready.ts'

test.each<[string, [percent: number, atMs: number][], number | null]>([
  ['nothing at the first sight', [[30, 0]], null],
  [
    'nothing after a moment',
    [
      [30, 0],
      [40, 3_000],
    ],
    null,
  ],
  [
    'nothing where nothing moves',
    [
      [30, 0],
      [30.5, 60_000],
    ],
    null,
  ],
  [
    'what is left, at the speed until now',
    [
      [30, 0],
      [50, 10_000],
    ],
    35_000,
  ],
  [
    'less when others help',
    [
      [30, 0],
      [50, 10_000],
      [90, 15_000],
    ],
    17_500,
  ],
  [
    'the end at the end',
    [
      [0, 0],
      [100, 10_000],
    ],
    10_000,
  ],
])('estimates %s', (_what, reports, expected) => {
  const estimate = createReadyEstimate()
  const said = reports.map(([percent, atMs]) => estimate(percent, atMs))
  expect(said.at(-1)?.getTime() ?? null).toBe(expected)
})
