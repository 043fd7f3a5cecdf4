import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startS3Server, type S3Server } from '../../../../../test/support/s3-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts'
import { createS3BlobStore } from '../../../../platform/blobs/s3/s3-blob-store.ts'
import { createS3Client } from '../../../../platform/blobs/s3/s3-client.ts'
import { createS3Multipart, type MultipartStore } from '../../../../platform/blobs/s3/s3-multipart.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { bodyOf, describeStagingPromises, newBytes } from '../staging.promises.ts'
import { createS3Staging } from './s3-staging.ts'
import { acquire } from './staged-rows.ts'

let s3: S3Server | { readonly unavailable: string }
let testDatabase: TestDatabase
let scratchFolder: string
let blobs: BlobStore
let multiparts: MultipartStore
let accountId: number

beforeAll(async () => {
  s3 = await startS3Server()
  if ('unavailable' in s3) return
  scratchFolder = await mkdtemp(join(tmpdir(), 'zoetrope-scratch-'))
  testDatabase = await createTestDatabase()
  blobs = createS3BlobStore({ ...s3, scratchFolder })
  multiparts = createS3Multipart(s3)
  const account = await testDatabase.database.kysely
    .insertInto('accounts')
    .values({ name: 'Uploads' })
    .returning('id')
    .executeTakeFirstOrThrow()
  accountId = account.id
})

afterAll(async () => {
  if ('unavailable' in s3) return
  await testDatabase.drop()
  await s3.stop()
  await rm(scratchFolder, { recursive: true, force: true })
})

/** Objects and multipart uploads that no blob needs. */
const leftovers = async () => {
  if ('unavailable' in s3) return []
  const client = createS3Client(s3)
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket }))
  client.destroy()
  return [...Uploads.map(({ Key }) => Key), ...(await blobs.list('uploads/'))]
}

const newStaging = (changed: Partial<MultipartStore> = {}) =>
  createS3Staging({
    sql: testDatabase.database.sql,
    blobs,
    multiparts: { ...multiparts, ...changed },
  })

describeStagingPromises('a bucket', async () => {
  if ('unavailable' in s3) return s3
  return {
    staging: newStaging(),
    blobs,
    database: testDatabase.database,
    accountId,
    stop: async () => {},
  }
})

const unasked = (): void => {}
const MiB = 1024 * 1024

test('a holder that was frozen in the middle of a part cannot acknowledge it or change the bytes of its successor', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const [first, late] = [randomBytes(8 * MiB), randomBytes(8 * MiB)]
  const frozen = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const stale = newStaging({
    putPart: async (key, id, number, data) => {
      reached.resolve()
      await frozen.promise
      return multiparts.putPart(key, id, number, data)
    },
  })
  const successor = newStaging()
  const bytes = newBytes(accountId, { sizeBytes: first.length })
  const writing = stale.hold(bytes, unasked, () =>
    stale.append(bytes.name, bodyOf(late), { offset: 0, maxSizeBytes: late.length }),
  )
  const refused = writing.catch((error: unknown) => error)
  await reached.promise
  // The database sees the lease of a frozen process expire.
  await testDatabase.database.sql`
    update staged_uploads set holder = gen_random_uuid(), leased_until = now() - interval '1 second'
    where staging_name = ${bytes.name}`
  await successor.hold(bytes, unasked, async () => {
    await successor.append(bytes.name, bodyOf(first), { offset: 0, maxSizeBytes: first.length })
    frozen.resolve()
    expect(await refused).toMatchObject({ reason: 'upload_taken_over' })
    expect(await successor.moveToBlob(bytes)).toEqual({ sizeBytes: first.length })
    await testDatabase.database.transaction((tx) => successor.settle(tx, bytes.name))
  })
  expect((await blobs.read(bytes.blob)).equals(first)).toBe(true)
})

test('a writer that runs ends when another node asks for the bytes, and stores what it has', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const [one, other] = [newStaging(), newStaging()]
  const bytes = newBytes(accountId)
  const ended = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const body = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('half')
    started.resolve()
    await ended.promise
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  const writing = one.hold(bytes, ended.resolve, () =>
    one.append(bytes.name, body(), { offset: 0, maxSizeBytes: 100 }),
  )
  await started.promise
  const offset = await other.hold(bytes, unasked, () => other.sizeOf(bytes.name))
  expect(offset).toBe(4)
  expect(await writing).toMatchObject({ sizeBytes: 4, isWhole: false })
  await other.remove(bytes.name)
})

test('of many first requests at once, one gets the lease and no other fails', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const { sql } = testDatabase.database
  for (let round = 0; round < 20; round += 1) {
    const bytes = newBytes(accountId)
    const rows = await Promise.all(
      Array.from({ length: 8 }, () => acquire(sql, bytes, { holder: randomUUID(), leaseMs: 60_000 })),
    )
    expect(rows.filter((row) => row !== null)).toHaveLength(1)
    await newStaging().remove(bytes.name)
  }
})

test('a holder from before a deletion never has the epoch of a later one', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const staging = newStaging()
  const bytes = newBytes(accountId)
  const epochOf = () =>
    staging.hold(bytes, unasked, async () => {
      const [row] = await testDatabase.database.sql<{ epoch: number }[]>`
        select epoch from staged_uploads where staging_name = ${bytes.name}`
      return row?.epoch ?? 0
    })
  const before = await epochOf()
  await staging.remove(bytes.name)
  expect(await epochOf()).toBeGreaterThan(before)
  await staging.remove(bytes.name)
})

test('a writer whose bytes another request deletes ends as taken over', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const bytes = newBytes(accountId)
  const staging = newStaging({
    putPart: async (key, id, number, data) => {
      await newStaging().remove(bytes.name)
      return multiparts.putPart(key, id, number, data)
    },
  })
  const writing = staging.hold(bytes, unasked, () =>
    staging.append(bytes.name, bodyOf(randomBytes(9 * MiB)), { offset: 0, maxSizeBytes: 100 * MiB }),
  )
  await expect(writing).rejects.toMatchObject({ reason: 'upload_taken_over' })
})

test('an upload whose parts the bucket has lost starts over', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const staging = newStaging()
  const data = randomBytes(17 * MiB)
  const bytes = newBytes(accountId, { sizeBytes: data.length })
  const append = (offset: number) =>
    staging.hold(bytes, unasked, () =>
      staging.append(bytes.name, bodyOf(data.subarray(offset)), { offset, maxSizeBytes: data.length }),
    )
  await staging.hold(bytes, unasked, () =>
    staging.append(bytes.name, bodyOf(data.subarray(0, 8 * MiB)), { offset: 0, maxSizeBytes: data.length }),
  )
  const [row] = await testDatabase.database.sql<{ id: string }[]>`
    select multipart_id as id from staged_uploads where staging_name = ${bytes.name}`
  await multiparts.abort(bytes.blob, row?.id ?? '')
  await expect(append(8 * MiB)).rejects.toMatchObject({
    reason: 'upload_offset_mismatch',
    headers: { 'Upload-Offset': '0' },
  })
  expect(await staging.sizeOf(bytes.name)).toBe(0)
  expect(await append(0)).toMatchObject({ sizeBytes: data.length })
  await staging.remove(bytes.name)
})

test('a part that the store received with other bytes fails, and nothing is acknowledged', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  const corrupting = newStaging({
    putPart: async (key, id, number, data) => {
      const client = createS3Client(s3 as S3Server)
      // Changes the body after the digest was computed.
      client.middlewareStack.add(
        (next) => async (args) => {
          const { body } = args.request as { body?: Buffer }
          if (Buffer.isBuffer(body)) body[0] = (body[0] ?? 0) ^ 1
          return next(args)
        },
        { step: 'finalizeRequest', priority: 'low' },
      )
      const { UploadPartCommand } = await import('@aws-sdk/client-s3')
      const { createHash } = await import('node:crypto')
      const ContentMD5 = createHash('md5').update(data).digest('base64')
      await client.send(
        new UploadPartCommand({
          Bucket: (s3 as S3Server).bucket,
          Key: key,
          UploadId: id,
          PartNumber: number,
          Body: Buffer.from(data),
          ContentMD5,
        }),
      )
      return ''
    },
  })
  const bytes = newBytes(accountId)
  const writing = corrupting.hold(bytes, unasked, () =>
    corrupting.append(bytes.name, bodyOf(randomBytes(9 * MiB)), { offset: 0, maxSizeBytes: 100 * MiB }),
  )
  await expect(writing).rejects.toThrow()
  expect(await newStaging().sizeOf(bytes.name)).toBe(0)
  await newStaging().remove(bytes.name)
})

test('no object and no multipart upload is left behind', async (context) => {
  if ('unavailable' in s3) return context.skip(s3.unavailable)
  await expect.poll(leftovers).toEqual([])
})
