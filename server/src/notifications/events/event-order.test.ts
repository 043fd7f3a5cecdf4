import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEventWorld, type EventWorld } from './test-support/event-world.ts'

let world: EventWorld

beforeAll(async () => {
  world = await createEventWorld()
})

afterAll(() => world.server.stop())

const idsAfter = async (after: number): Promise<number[]> => {
  const { body } = await world.server.call('GET', `/events?after=${after}&limit=500`)
  return body.Events.map(({ EventId }: { EventId: number }) => EventId)
}

test('an event becomes visible only after open transactions with smaller ids end', async () => {
  const start = await world.emitEvent()
  const slow = await world.begin()
  const first = await world.emitIn(slow.tx)
  const second = await world.emitEvent()
  expect(second).toBeGreaterThan(first)
  expect(await idsAfter(start)).toEqual([])
  const newest = await world.server.call('GET', '/events?limit=1')
  expect(newest.body.Events[0].EventId).toBe(start)
  await slow.commit()
  expect(await idsAfter(start)).toEqual([first, second])
})

test('an event waits for an open transaction that took its id first', async () => {
  const start = await world.emitEvent()
  const slow = await world.begin()
  // Its second event has a larger id than one that another transaction commits in between.
  const first = await world.emitIn(slow.tx)
  const between = await world.emitEvent()
  const last = await world.emitIn(slow.tx)
  const after = await world.emitEvent()
  expect(await idsAfter(start)).toEqual([])
  await slow.commit()
  expect(await idsAfter(start)).toEqual([first, between, last, after])
})

test('a rolled back transaction delays nothing and leaves only a gap in the ids', async () => {
  const start = await world.emitEvent()
  const slow = await world.begin()
  await world.emitIn(slow.tx)
  const second = await world.emitEvent()
  await slow.rollback()
  expect(await idsAfter(start)).toEqual([second])
})

test("a rolled back savepoint keeps the transaction's position in the order", async () => {
  const start = await world.emitEvent()
  const slow = await world.begin()
  await sql`savepoint one`.execute(slow.tx)
  await world.emitIn(slow.tx)
  await sql`rollback to savepoint one`.execute(slow.tx)
  const kept = await world.emitIn(slow.tx)
  const other = await world.emitEvent()
  expect(await idsAfter(start)).toEqual([])
  await slow.commit()
  expect(await idsAfter(start)).toEqual([kept, other])
})

test('a long transaction without events does not delay the log', async () => {
  const start = await world.emitEvent()
  const slow = await world.begin()
  await sql`select pg_current_xact_id()`.execute(slow.tx)
  await slow.tx.updateTable('accounts').set({ name: 'Renamed' }).execute()
  const second = await world.emitEvent()
  expect(await idsAfter(start)).toEqual([second])
  await slow.rollback()
})

test('a polling reader gets each committed event once, in id order, under concurrent writes', async () => {
  const start = await world.emitEvent()
  const { database } = world.server.services
  const written: number[] = []
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; round < 25; round += 1) {
      const isDropped = (writer + round) % 5 === 0
      const ids = await database
        .transaction(async (tx) => {
          const first = await world.emitIn(tx)
          await sql`select pg_sleep(random() * 0.02)`.execute(tx)
          const second = await world.emitIn(tx)
          if (isDropped) throw new Error('dropped')
          return [first, second]
        })
        .catch(() => [])
      written.push(...ids)
    }
  }
  let isWriting = true
  const writing = Promise.all([0, 1, 2, 3, 4, 5].map(write)).then(() => {
    isWriting = false
  })
  const read: number[] = []
  let position = start
  while (isWriting || position < Math.max(...written)) {
    const page = await idsAfter(position)
    read.push(...page)
    position = page.at(-1) ?? position
  }
  await writing
  expect(read).toEqual(written.sort((a, b) => a - b))
  expect(read.length).toBe(240)
})
