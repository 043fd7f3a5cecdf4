import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { createDiskBlobStore } from '../../../platform/blobs/disk-blob-store.ts'
import { openDiskStaging } from './disk-staging.ts'
import { describeStagingPromises } from './staging.promises.ts'

describeStagingPromises('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-staging-'))
  const { database, drop } = await createTestDatabase()
  const blobs = createDiskBlobStore({ folder: join(folder, 'media') })
  return {
    staging: await openDiskStaging(join(folder, 'uploads'), blobs),
    blobs,
    database,
    accountId: 1,
    stop: async () => {
      expect(await readdir(join(folder, 'uploads'))).toEqual([])
      await drop()
      await rm(folder, { recursive: true })
    },
  }
})

it('a folder frees the memory of appended chunks, but none that they share with others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-staging-'))
  try {
    const staging = await openDiskStaging(folder, createDiskBlobStore({ folder: join(folder, 'media') }))
    const own = Buffer.from(new ArrayBuffer(100_000)).fill('a')
    const pool = Buffer.from(new ArrayBuffer(100_000)).fill('b')
    const body = (async function* () {
      yield own
      yield pool.subarray(0, 50_000)
    })()
    await staging.append('upload', body, { offset: 0, maxSizeBytes: 1_000_000 })
    expect(await readFile(staging.path('upload'), 'latin1')).toBe('a'.repeat(100_000) + 'b'.repeat(50_000))
    expect(own.length).toBe(0)
    expect(pool.equals(Buffer.alloc(100_000, 'b'))).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})
