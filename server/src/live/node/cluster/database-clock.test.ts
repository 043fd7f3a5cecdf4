import { expect, onTestFinished, test, vi } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'

const start = () => {
  const steady = { ms: 1_000 }
  return { steady, clock: createDatabaseClock(() => steady.ms) }
}

test('is the clock of the database, whatever the clock of the machine is set to', () => {
  const { steady, clock } = start()
  clock.set(5_000_000, steady.ms, { mayJump: true })
  const setBack = vi.spyOn(Date, 'now').mockReturnValue(0)
  onTestFinished(() => setBack.mockRestore())
  steady.ms += 60_000
  expect(clock.now()).toBe(5_060_000)
})

test('does not jump while something is live, and is corrected by one percent', () => {
  const { steady, clock } = start()
  clock.set(5_000_000, steady.ms, { mayJump: true })
  steady.ms += 500
  clock.set(5_300_500, steady.ms, { mayJump: false })
  expect(clock.now()).toBe(5_000_505)
  clock.set(5_300_500, steady.ms, { mayJump: true })
  expect(clock.now()).toBe(5_300_500)
})

test('ignores what may be a delay of the network', () => {
  const { steady, clock } = start()
  clock.set(5_000_000, steady.ms, { mayJump: true })
  clock.set(5_000_090, steady.ms, { mayJump: true })
  expect(clock.now()).toBe(5_000_000)
  const askedAtMs = steady.ms
  steady.ms += 2_000
  // Written when the request arrived, or just before the answer was sent.
  for (const databaseMs of [5_000_050, 5_001_950]) clock.set(databaseMs, askedAtMs, { mayJump: true })
  expect(clock.now()).toBe(5_002_000)
})
