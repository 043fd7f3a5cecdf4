import { expect, test } from 'vitest'
import type { NodeReply } from './ask-node.ts'
import { createLease } from './lease.ts'
import type { OtherNode } from './node-row.ts'

const other: OtherNode = {
  id: 'other',
  url: 'http://192.0.2.1',
  disk: '',
  silentSeconds: 0,
  seenAt: new Date(0),
}
const alive: NodeReply = { isThere: true, hasLease: true }
const withoutDatabase: NodeReply = { isThere: true, hasLease: false }
const dead: NodeReply = { isThere: false, hasLease: false }
const silent: NodeReply = { isThere: null, hasLease: false }

const start = (...replies: readonly NodeReply[]) => startWith(() => replies)

const startWith = (current: () => readonly NodeReply[]) => {
  const clock = { ms: 1_000_000 }
  const asked: string[] = []
  const lease = createLease({
    others: () => current().map((_reply, index) => ({ ...other, id: String(index) })),
    ask: async ({ id }) => {
      asked.push(id)
      return current()[Number(id)]!
    },
    now: () => clock.ms,
  })
  /** Lets the time pass as the node does without database. */
  const pass = async (seconds: number) => {
    for (const untilMs = clock.ms + seconds * 1_000; clock.ms < untilMs; clock.ms += 500) await lease.check()
    return lease.mayBeLost()
  }
  return { lease, pass, asked, clock }
}

test('a node with heartbeats asks no other node', async () => {
  const { lease, pass, asked, clock } = start(silent)
  for (let beat = 0; beat < 10; beat++) {
    expect(await pass(0.5)).toBe(false)
    lease.renew(clock.ms)
  }
  expect(asked).toEqual([])
})

test('a lease counts from before the heartbeat, and ends with the pause of a process', () => {
  const { lease, clock } = start(alive)
  lease.renew(clock.ms - 1_000)
  clock.ms += 499
  expect(lease.mayBeLost()).toBe(false)
  clock.ms += 1
  expect(lease.mayBeLost()).toBe(true)
})

test('a node without database loses its streams to a node that does not answer, until its next heartbeat', async () => {
  const { lease, pass, clock } = start(alive, silent)
  expect(await pass(1)).toBe(false)
  expect(await pass(0.5)).toBe(true)
  lease.renew(clock.ms)
  expect(lease.mayBeLost()).toBe(false)
})

test.each([
  ['it is the only node', [], 60],
  ['the others answer, or refuse connections', [alive, dead], 29],
  ['the others have no database either', [withoutDatabase, dead], 3_600],
] as const)('a node without database keeps its streams while %s', async (_name, replies, seconds) => {
  expect(await start(...replies).pass(seconds)).toBe(false)
})

test('a node that is cut off for half a minute loses its streams to a node that has a lease', async () => {
  const { pass } = start(alive)
  expect(await pass(30)).toBe(false)
  expect(await pass(2)).toBe(true)
})

test('a node that did not reach the others waits for the database, because one of them may own its streams', async () => {
  let reply = silent
  const { lease, pass, clock } = startWith(() => [reply])
  expect(await pass(5)).toBe(true)
  reply = alive
  expect(await pass(5)).toBe(true)
  lease.renew(clock.ms)
  expect(lease.mayBeLost()).toBe(false)
  expect(await pass(20)).toBe(false)
})

test('a node that did not reach the others continues when none of them has a database', async () => {
  let reply = silent
  const { pass } = startWith(() => [reply])
  expect(await pass(5)).toBe(true)
  reply = withoutDatabase
  expect(await pass(1)).toBe(false)
})
