import { mkdtemp, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
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

it('a folder makes the name of a new upload durable before it acknowledges the first bytes', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'zoetrope-staging-'))
  const folder = join(parent, 'uploads')
  const staging = await openDiskStaging(folder, createDiskBlobStore({ folder: join(parent, 'media') }))
  const handle = await open(parent)
  const synced: number[] = []
  // fsync(2), NOTES: the name of a file is durable only after fsync of its folder.
  const sync = vi
    .spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
    .mockImplementation(async function (this: FileHandle) {
      synced.push((await this.stat()).ino)
    })
  try {
    const body = async function* () {
      yield Buffer.alloc(10)
    }
    await staging.append('upload', body(), { offset: 0, maxSizeBytes: 100 })
    await staging.append('upload', body(), { offset: 10, maxSizeBytes: 100 })
    expect(synced).toEqual([(await stat(folder)).ino])
  } finally {
    sync.mockRestore()
    await handle.close()
    await rm(parent, { recursive: true })
  }
})
