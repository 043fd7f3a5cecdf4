import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBucket } from '../src/platform/blobs/s3/create-bucket.ts'
import type { Finding } from '../src/app/commands/doctor/finding.ts'
import { findFreePort } from './support/free-port.ts'
import { operate } from './support/operator.ts'
import { s3Settings, startS3Server } from './support/s3-server.ts'

let folder: string
let s3: Awaited<ReturnType<typeof startS3Server>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-doctor-s3-'))
  s3 = await startS3Server()
})

afterAll(async () => {
  if ('stop' in s3) await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const s3Finding = async (environment: Record<string, string>): Promise<Finding | undefined> => {
  if ('unavailable' in s3) throw new Error(s3.unavailable)
  const { stdout } = await operate(
    {
      ZOETROPE_DATA: folder,
      ...s3Settings(s3),
      ...environment,
    },
    'doctor',
    '--json',
  )
  const { Findings } = JSON.parse(stdout) as { Findings: Finding[] }
  return Findings.find(({ Check }) => Check === 'S3')
}

test('doctor reports S3 as working when it can write, read, list and delete', async ({ skip }) => {
  if ('unavailable' in s3) skip(s3.unavailable)
  expect(await s3Finding({})).toMatchObject({
    Status: 'ok',
    Message: expect.stringMatching(/^bucket media: /),
  })
})

test.each([
  ['secret', { S3_SECRET_ACCESS_KEY: 'wrong' }, /S3_SECRET_ACCESS_KEY/],
  ['access key', { S3_ACCESS_KEY_ID: 'wrong:wrong' }, /S3_ACCESS_KEY_ID/],
  ['bucket', { S3_BUCKET: 'nowhere' }, /^The bucket nowhere does not exist\. Check S3_BUCKET/],
])('doctor names the setting to check for a wrong %s', async (_what, environment, message) => {
  if ('unavailable' in s3) return
  expect(await s3Finding(environment)).toMatchObject({
    Status: 'failed',
    Message: expect.stringMatching(message),
  })
})

test('doctor names the endpoint when it does not respond', async () => {
  if ('unavailable' in s3) return
  const S3_ENDPOINT = `http://127.0.0.1:${await findFreePort()}`
  expect(await s3Finding({ S3_ENDPOINT })).toMatchObject({
    Status: 'failed',
    Message: expect.stringMatching(/^The store does not respond \(ECONNREFUSED\)\. Check S3_ENDPOINT/),
  })
})

test('migrate creates a missing bucket, once', async ({ skip }) => {
  if ('unavailable' in s3) return skip(s3.unavailable)
  const settings = { ...s3, bucket: 'made-by-migrate', forcePathStyle: true }
  expect(await createBucket(settings)).toBe(true)
  expect(await createBucket(settings)).toBe(false)
  expect(await s3Finding({ S3_BUCKET: settings.bucket })).toMatchObject({ Status: 'ok' })
  const endpoint = `http://127.0.0.1:${await findFreePort()}`
  await expect(createBucket({ ...settings, endpoint })).rejects.toThrow('The S3 store does not respond')
})
