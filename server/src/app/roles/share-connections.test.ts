import { expect, test } from 'vitest'
import { shareConnections } from './share-connections.ts'

test.each([
  [4, { pooled: 2, pipelined: 1, queue: 1 }],
  [7, { pooled: 5, pipelined: 1, queue: 1 }],
  [16, { pooled: 10, pipelined: 4, queue: 2 }],
  [40, { pooled: 34, pipelined: 4, queue: 2 }],
])('of %i connections all are used', (count, shares) => {
  expect(shareConnections(count)).toEqual(shares)
})
