import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createAdmissions } from './admissions.ts'

test('an admitted playout is looked up again only after the time', async () => {
  const keptMs = 200
  const admitted = createAdmissions(keptMs)
  const find = vi.fn(async () => ({}))
  await Promise.all([admitted('one', find), admitted('one', find)])
  expect(find).toHaveBeenCalledTimes(1)
  await admitted('other', find)
  expect(find).toHaveBeenCalledTimes(2)
  await delay(keptMs + 50)
  await admitted('one', find)
  expect(find).toHaveBeenCalledTimes(3)
})

test('a refusal is not remembered', async () => {
  const admitted = createAdmissions()
  await expect(admitted('one', () => Promise.reject(new Error('withdrawn')))).rejects.toThrow('withdrawn')
  expect(await admitted('one', async () => ({ isOpen: true }))).toEqual({ isOpen: true })
})
