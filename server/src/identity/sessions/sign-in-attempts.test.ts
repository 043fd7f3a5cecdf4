import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import {
  bucketOfAddress,
  bucketOfDevice,
  bucketOfEmail,
  giveBackAttempt,
  takeAttempt,
  type AttemptBucket,
} from './sign-in-attempts.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

let clockMs = Date.parse('2026-03-01T12:00:00Z')
const take = (...buckets: AttemptBucket[]) =>
  takeAttempt(server.services.database, buckets, new Date(clockMs))

test('five attempts are free, then the wait doubles to a minute and no longer', async () => {
  const bucket = bucketOfEmail('a@example.com')
  for (let attempt = 1; attempt <= 5; attempt += 1) expect(await take(bucket)).toBe(0)
  const waits: number[] = []
  for (let attempt = 0; attempt < 9; attempt += 1) {
    const wait = await take(bucket)
    waits.push(wait)
    clockMs += wait * 1_000
    expect(await take(bucket)).toBe(0)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
})

test('asking while one must wait makes the wait no longer', async () => {
  const bucket = bucketOfEmail('b@example.com')
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    clockMs += 60_000
    await take(bucket)
  }
  const wait = await take(bucket)
  expect(wait).toBe(8)
  for (let again = 0; again < 5; again += 1) expect(await take(bucket)).toBe(wait)
  clockMs += 8_000
  expect(await take(bucket)).toBe(0)
})

test('a quarter of an hour without an attempt, or a success, and all is forgotten', async () => {
  const person = bucketOfEmail('c@example.com')
  const fill = async () => {
    for (let attempt = 1; attempt <= 5; attempt += 1) await take(person)
    expect(await take(person)).toBe(1)
  }
  await fill()
  clockMs += 901_000
  await fill()
  await server.services.database.transaction((tx) => giveBackAttempt(tx, { address: null, person }))
  await fill()
})

test('an address has its attempts a minute, whoever it tries; what succeeds is given back', async () => {
  const address = bucketOfAddress('192.0.2.7', 3)
  const { database } = server.services
  for (const name of ['d', 'e', 'f']) expect(await take(address, bucketOfEmail(name))).toBe(0)
  expect(await take(address, bucketOfEmail('g'))).toBe(60)
  await database.transaction((tx) => giveBackAttempt(tx, { address, person: bucketOfEmail('f') }))
  expect(await take(address, bucketOfEmail('g'))).toBe(0)
  expect(await take(address, bucketOfEmail('g'))).toBe(60)
  clockMs += 61_000
  expect(await take(address, bucketOfEmail('g'))).toBe(0)
})

test('a known browser has a bucket of its own', async () => {
  for (let attempt = 1; attempt <= 5; attempt += 1) await take(bucketOfEmail('h@example.com'))
  expect(await take(bucketOfEmail('H@example.com'))).toBe(1)
  expect(await take(bucketOfDevice('h@example.com'))).toBe(0)
})
