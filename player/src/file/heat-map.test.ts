import { expect, test } from 'vitest'
import { heatPath } from './heat-map.ts'

test('the curve goes from edge to edge, through the middle of each part', () => {
  expect(heatPath([0, 1])).toBe('M0 1L0.0000 1.00L0.2500 1.00L0.7500 0.00L1.0000 0.00L1 1Z')
})
