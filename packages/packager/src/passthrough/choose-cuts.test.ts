import { expect, test } from 'vitest'
import { chooseCuts } from './choose-cuts.ts'

test.each([
  ['regular groups', [0, 2, 4, 6, 8, 10], 4, 10, [0, 2, 4, 5]],
  ['the nearer of two', [0, 3, 6, 9], 4, 10, [0, 1, 2, 3]],
  ['a long group if there is no shorter one', [0, 9, 11], 4, 10, [0, 1, 2]],
  ['no group above the maximum', [0, 3, 14], 4, 10, undefined],
  ['points at one time', [0, 2, 2, 4, 4], 4, 10, [0, 4]],
  ['one group', [0, 1], 4, 10, [0, 1]],
])('chooseCuts handles %s', (_name, points, target, maximum, cuts) => {
  const chosen = chooseCuts(points, target, maximum)
  expect(chosen).toEqual(cuts)
})
