import { expect, test } from 'vitest'
import { createFailingPublishers } from './failing-publishers.ts'

const failure = { code: 'unsupported', message: 'The picture is VP9.' }

/** Records a failure, and returns for how many seconds the publisher is refused. */
const pauseAfter = (
  publishers: ReturnType<typeof createFailingPublishers>,
  clock: { ms: number },
): number => {
  publishers.record(1, failure)
  const failedAtMs = clock.ms
  while (publishers.refusalOf(1) !== null) clock.ms += 500
  return (clock.ms - failedAtMs) / 1_000
}

test('refuses a failing publisher for longer each time, up to a minute, and reports the failure', () => {
  const clock = { ms: 0 }
  const publishers = createFailingPublishers(() => clock.ms)
  const pauses = Array.from({ length: 6 }, () => pauseAfter(publishers, clock))
  expect(pauses).toEqual([2, 5, 15, 30, 60, 60])
  publishers.record(1, failure)
  expect(publishers.refusalOf(1)).toBe(failure.message)
  expect(publishers.refusalOf(2)).toBeNull()
})

test('resets the pause after a success or five minutes, and ignores ends that the publisher did not cause', () => {
  const clock = { ms: 0 }
  const publishers = createFailingPublishers(() => clock.ms)
  expect([pauseAfter(publishers, clock), pauseAfter(publishers, clock)]).toEqual([2, 5])
  publishers.record(1, null)
  expect(pauseAfter(publishers, clock)).toBe(2)
  clock.ms += 300_001
  expect(pauseAfter(publishers, clock)).toBe(2)
  publishers.record(2, { code: 'stopped', message: 'The stream was stopped by the API.' })
  expect(publishers.refusalOf(2)).toBeNull()
})
