import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeBlobStorePromises } from './blob-store.promises.ts'
import { copyBlob } from './copy-blob.ts'
import { createDiskBlobStore } from './disk-blob-store.ts'
import { createTwoBlobStores } from './two-blob-stores.ts'

/** A second disk store stands in for S3: both pass the same tests. */
const openStores = async (present: 'disk' | 's3') => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'zoetrope-two-'))
  const disk = createDiskBlobStore({ folder: path.join(folder, 'disk') })
  const s3 = createDiskBlobStore({ folder: path.join(folder, 's3') })
  const lendingFolder = path.join(folder, 'disk', 'temporary')
  return {
    disk,
    s3,
    lendingFolder,
    store: createTwoBlobStores({ disk, s3, present, lendingFolder }),
    stop: () => rm(folder, { recursive: true, force: true }),
  }
}

describeBlobStorePromises('two stores', () => openStores('s3'))

describe.each(['disk', 's3'] as const)('two blob stores with %s as the current one', (present) => {
  let stores: Awaited<ReturnType<typeof openStores>>
  beforeAll(async () => {
    stores = await openStores(present)
  })
  afterAll(() => stores.stop())
  const sides = () =>
    present === 'disk'
      ? { former: stores.s3, present: stores.disk }
      : { former: stores.disk, present: stores.s3 }

  it('read a blob from either store', async () => {
    const { store } = stores
    await sides().former.put('a/old', Buffer.from('old'))
    await store.put('a/new', Buffer.from('new'))
    expect(await sides().former.stat('a/new')).toBeNull()
    for (const name of ['old', 'new']) {
      expect((await store.stat(`a/${name}`))?.sizeBytes).toBe(3)
      expect((await store.read(`a/${name}`, { start: 1, end: 3 })).toString()).toBe(name.slice(1))
      expect((await buffer(await store.stream(`a/${name}`))).toString()).toBe(name)
      expect(await store.withLocalFile(`a/${name}`, (file) => readFile(file, 'utf8'))).toBe(name)
    }
    expect((await store.list('a/')).sort()).toEqual(['a/new', 'a/old'])
    expect(await store.deletePrefix('a/')).toBe(2)
    expect(await store.list('a/')).toEqual([])
  })

  it('replace an old blob with a new one of the same key', async () => {
    await sides().former.put('b/one', Buffer.from('old'))
    await stores.store.put('b/one', Buffer.from('new'))
    expect((await stores.store.read('b/one')).toString()).toBe('new')
    expect(await sides().former.stat('b/one')).toBeNull()
  })

  it('treat a blob adopted before the change of store as adopted', async () => {
    await sides().former.put('c/source', Buffer.from('source'))
    expect(await stores.store.adopt('/nowhere/at-all', 'c/source')).toEqual({ sizeBytes: 6 })
  })

  it('serve every blob to readers while blobs move', async () => {
    const { former, present: target } = sides()
    const keys = Array.from({ length: 20 }, (_, index) => `d/${index}`)
    for (const key of keys) await former.put(key, Buffer.from(key))
    let isMoving = true
    const read = async (): Promise<void> => {
      while (isMoving) for (const key of keys) expect((await stores.store.read(key)).toString()).toBe(key)
    }
    const move = async (): Promise<void> => {
      for (const key of keys) {
        await copyBlob(former, target, key)
        await former.delete(key)
      }
      isMoving = false
    }
    await Promise.all([read(), read(), move()])
  })
})

it('keep a local file of the disk store valid while its blob moves away', async () => {
  const { store, disk, s3, lendingFolder, stop } = await openStores('s3')
  await disk.put('a/source', Buffer.from('source'))
  await store.withLocalFile('a/source', async (file) => {
    await copyBlob(disk, s3, 'a/source')
    await disk.delete('a/source')
    expect(await readFile(file, 'utf8')).toBe('source')
  })
  expect(await readdir(lendingFolder)).toEqual([])
  await stop()
})

it('report a copy that differs, and keep the blob', async () => {
  const { disk, s3, stop } = await openStores('s3')
  const lossy: typeof s3 = { ...s3, put: (key) => s3.put(key, Buffer.from('sourcx')) }
  await disk.put('a/b', Buffer.from('source'))
  await expect(copyBlob(disk, lossy, 'a/b')).rejects.toThrow('differs from the original')
  expect((await disk.read('a/b')).toString()).toBe('source')
  await stop()
})
