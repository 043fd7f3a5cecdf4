import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAdmissions } from './admissions.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

test('an admitted playout is not looked up again for five seconds', async () => {
  const admitted = createAdmissions()
  const find = vi.fn(async () => ({}))
  await Promise.all([admitted('one', find), admitted('one', find)])
  vi.advanceTimersByTime(4_900)
  await admitted('one', find)
  expect(find).toHaveBeenCalledTimes(1)
  await admitted('other', find)
  expect(find).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(200)
  await admitted('one', find)
  expect(find).toHaveBeenCalledTimes(3)
})

test('a refusal is not remembered', async () => {
  const admitted = createAdmissions()
  await expect(admitted('one', () => Promise.reject(new Error('withdrawn')))).rejects.toThrow('withdrawn')
  expect(await admitted('one', async () => ({ isOpen: true }))).toEqual({ isOpen: true })
})
