import { expect, test } from 'vitest'
import { keepHouse } from './housekeeping.ts'

test('runs the tasks after one that fails, and reports all errors at the end', async () => {
  const ran: string[] = []
  const failing = (name: string) => async () => {
    ran.push(name)
    throw new Error(name)
  }
  const run = keepHouse([failing('a'), async () => ran.push('b'), failing('c'), async () => ran.push('d')])
  await expect(run).rejects.toMatchObject({
    message: '2 housekeeping tasks failed',
    errors: [{ message: 'a' }, { message: 'c' }],
  })
  expect(ran).toEqual(['a', 'b', 'c', 'd'])
})
