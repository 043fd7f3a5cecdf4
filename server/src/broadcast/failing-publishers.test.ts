import { expect, test } from 'vitest'
import { createFailingPublishers } from './failing-publishers.ts'

const failure = { code: 'unsupported', message: 'The picture is VP9.' }

/** After each failure: how many seconds long the publisher is refused. */
const pauseAfter = (
  publishers: ReturnType<typeof createFailingPublishers>,
  clock: { ms: number },
): number => {
  publishers.note(1, failure)
  const failedAtMs = clock.ms
  while (publishers.refusalOf(1) !== null) clock.ms += 500
  return (clock.ms - failedAtMs) / 1_000
}

test('whoever fails again and again waits longer and longer, up to a minute, and hears why', () => {
  const clock = { ms: 0 }
  const publishers = createFailingPublishers(() => clock.ms)
  const pauses = Array.from({ length: 6 }, () => pauseAfter(publishers, clock))
  expect(pauses).toEqual([2, 5, 15, 30, 60, 60])
  publishers.note(1, failure)
  expect(publishers.refusalOf(1)).toBe(failure.message)
  expect(publishers.refusalOf(2)).toBeNull()
})

test('a broadcast that went well, five minutes of peace or an end by others than the publisher begin anew', () => {
  const clock = { ms: 0 }
  const publishers = createFailingPublishers(() => clock.ms)
  expect([pauseAfter(publishers, clock), pauseAfter(publishers, clock)]).toEqual([2, 5])
  publishers.note(1, null)
  expect(pauseAfter(publishers, clock)).toBe(2)
  clock.ms += 300_001
  expect(pauseAfter(publishers, clock)).toBe(2)
  publishers.note(2, { code: 'stopped', message: 'The stream was stopped by the API.' })
  expect(publishers.refusalOf(2)).toBeNull()
})
