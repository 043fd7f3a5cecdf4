import { expect, test, vi } from 'vitest'
import { logFailures } from './log-failures.ts'

test('a failure is logged when it begins or changes, once a minute, and at its end', async () => {
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() }
  let nowMs = 0
  let error: Error | null = null
  const run = logFailures(
    log,
    'cannot count',
    async () => {
      if (error !== null) throw error
    },
    () => nowMs,
  )
  const counts = () => [log.warn.mock.calls.length, log.info.mock.calls.length]
  await run()
  expect(counts()).toEqual([0, 0])
  error = new Error('connection refused')
  for (let count = 0; count < 100; count += 1) await run()
  expect(counts()).toEqual([1, 0])
  expect(log.warn).toHaveBeenLastCalledWith({ err: error }, 'cannot count')
  error = new Error('the disk is full')
  await run()
  expect(counts()).toEqual([2, 0])
  nowMs = 60_000
  await run()
  expect(counts()).toEqual([3, 0])
  error = null
  await run()
  await run()
  expect(counts()).toEqual([3, 1])
  expect(log.info).toHaveBeenLastCalledWith('cannot count: this works again')
})
