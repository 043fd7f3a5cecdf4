import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log/log.ts'
import { createDatabaseQueue } from './database-queue.ts'

const log = createLog({ level: 'silent' })
const databaseIsAway = () =>
  Object.assign(new Error('no connection'), { code: 'ECONNREFUSED', syscall: 'connect' })
const constraintIsBroken = () =>
  Object.assign(new DatabaseError('duplicate key', 0, 'error'), { code: '23505' })

test('retries failed work before work that was added later', async () => {
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

test('a permanent database error does not block later work', async () => {
  const queue = createDatabaseQueue(log)
  const done: string[] = []
  queue.add(() => Promise.reject(constraintIsBroken()))
  queue.add(async () => {
    done.push('second')
  })
  await queue.settled()
  expect(done).toEqual(['second'])
})

test('stopRetrying() tries the work once more and then gives up', async () => {
  const queue = createDatabaseQueue(log)
  let attempts = 0
  queue.add(async () => {
    attempts++
    throw databaseIsAway()
  })
  queue.stopRetrying()
  await queue.settled()
  expect(attempts).toBeLessThanOrEqual(2)
})

test('drops optional work while the queue is long', async () => {
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
