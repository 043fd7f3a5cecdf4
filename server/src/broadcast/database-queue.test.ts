import { expect, test } from 'vitest'
import { createLog } from '../kernel/log.ts'
import { createDatabaseQueue } from './database-queue.ts'

const log = createLog({ level: 'silent' })
const databaseIsAway = () =>
  Object.assign(new Error('no connection'), { code: 'ECONNREFUSED', syscall: 'connect' })
const constraintIsBroken = () => Object.assign(new Error('23505'), { name: 'PostgresError', code: '23505' })

test('what the database did not take comes again, before what was added later', async () => {
  const queue = createDatabaseQueue(log)
  const done: string[] = []
  let refusals = 2
  queue.add(async () => {
    if (refusals-- > 0) throw databaseIsAway()
    done.push('first')
  })
  queue.add(async () => {
    done.push('second')
  })
  await queue.settled()
  expect(done).toEqual(['first', 'second'])
})

test('what the database refuses for good keeps nothing else from being written', async () => {
  const queue = createDatabaseQueue(log)
  const done: string[] = []
  queue.add(() => Promise.reject(constraintIsBroken()))
  queue.add(async () => {
    done.push('second')
  })
  await queue.settled()
  expect(done).toEqual(['second'])
})

test('in a hurry everything is tried once more and then given up', async () => {
  const queue = createDatabaseQueue(log)
  let attempts = 0
  queue.add(async () => {
    attempts++
    throw databaseIsAway()
  })
  queue.hurry()
  await queue.settled()
  expect(attempts).toBeLessThanOrEqual(2)
})

test('what need not be kept is left out while much is waiting', async () => {
  const queue = createDatabaseQueue(log)
  const free = Promise.withResolvers<void>()
  let done = 0
  queue.add(() => free.promise)
  for (let index = 0; index < 1_000; index++)
    queue.addIfRoom(async () => {
      done++
    })
  free.resolve()
  await queue.settled()
  expect(done).toBeLessThan(100)
})
