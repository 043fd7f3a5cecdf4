import { expect, test } from 'vitest'
import { playsOf, timesOf } from './file-figures.ts'

test('the times of parts are whole milliseconds, and parts adjoin', () => {
  const parts = Array.from({ length: 100 }, (_none, part) => timesOf(part, 30))
  expect(parts[2]).toEqual({ Start: 0.6, End: 0.9 })
  expect(parts.every(({ Start }, part) => part === 0 || Start === parts[part - 1]?.End)).toBe(true)
  expect(parts[99]?.End).toBe(30)
})

test('plays of a part are its playing time divided by its length', () => {
  const playedMs = Array.from({ length: 100 }, (_none, part) => (part === 2 ? 450 : 0))
  const [, , third] = playsOf({ views: 2, playedMs, reached: [] }, 30)
  expect(third).toMatchObject({ Start: 0.6, End: 0.9, Plays: 1.5 })
})
