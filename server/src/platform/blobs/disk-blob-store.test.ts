import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeBlobStorePromises } from './blob-store.promises.ts'
import { BlobStoreUnavailableError, StorageFullError, type BlobStore } from './blob-store.ts'
import { createDiskBlobStore } from './disk-blob-store.ts'

const makeTestFolder = async (): Promise<string> =>
  await mkdtemp(path.join(os.tmpdir(), 'zoetrope-disk-blobs-'))

describeBlobStorePromises('a folder', async () => {
  const folder = await makeTestFolder()
  return {
    store: createDiskBlobStore({ folder }),
    stop: async () => await rm(folder, { recursive: true, force: true }),
  }
})

describe('a disk blob store', () => {
  let folder: string
  let store: BlobStore

  beforeEach(async () => {
    folder = await makeTestFolder()
    store = createDiskBlobStore({ folder })
  })
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  it('lends the blob file itself, not a copy', async () => {
    await store.put('a/b', Buffer.from('x'))
    const inode = await store.withLocalFile('a/b', async (local) => (await stat(local)).ino)
    expect((await stat(path.join(folder, 'blobs/a/b'))).ino).toBe(inode)
  })

  it('leaves no empty folder after deletions', async () => {
    await store.put('a/1/b/c', Buffer.from('x'))
    await store.put('a/2/d', Buffer.from('x'))
    await store.deletePrefix('a/1/b/')
    expect(await readdir(path.join(folder, 'blobs/a'))).toEqual(['2'])
    await store.delete('a/2/d')
    expect(await readdir(path.join(folder, 'blobs'))).toEqual([])
  })

  it('sweeps old leftovers of a crash, but no blob', async () => {
    await store.put('a/b', Buffer.from('x'))
    await mkdir(path.join(folder, 'temporary/half-deleted/deep'), { recursive: true })
    await writeFile(path.join(folder, 'temporary/half-written'), 'half')
    expect(await store.sweepTemporary(3_600_000)).toBe(0)
    expect(await store.sweepTemporary(0)).toBe(2)
    expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
    expect((await store.read('a/b')).toString()).toBe('x')
  })

  it('fails the health check when its folder is not writable', async () => {
    await writeFile(path.join(folder, 'plain-file'), '')
    const broken = createDiskBlobStore({ folder: path.join(folder, 'plain-file') })
    await expect(broken.checkHealth()).rejects.toThrow(BlobStoreUnavailableError)
  })

  it('adopts a file from another file system', async (context) => {
    const memoryFolder = '/dev/shm'
    const other = await mkdtemp(path.join(memoryFolder, 'zoetrope-')).catch(() => null)
    if (other === null || (await stat(other)).dev === (await stat(folder)).dev)
      return context.skip(`${memoryFolder} is no other file system here`)
    try {
      const local = path.join(other, 'upload')
      await writeFile(local, Buffer.alloc(3_000_000, 7))
      expect(await store.adopt(local, 'a/source')).toEqual({ sizeBytes: 3_000_000 })
      expect((await store.read('a/source')).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
      await expect(access(local)).rejects.toThrow('ENOENT')
    } finally {
      await rm(other, { recursive: true, force: true })
    }
  })

  it('exposes nothing of a put whose process was killed', async () => {
    const program = `
      const { createDiskBlobStore } = await import(process.argv[1])
      const endless = async function* () {
        for (let count = 0; ; count += 1) {
          yield Buffer.alloc(100_000)
          if (count === 3) console.log('writing')
        }
      }
      await createDiskBlobStore({ folder: process.argv[2] }).put('a/b', endless())`
    const moduleUrl = new URL('disk-blob-store.ts', import.meta.url).href
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, moduleUrl, folder])
    const exited = once(child, 'exit')
    await Promise.race([once(child.stdout, 'data'), exited])
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
    expect(await store.stat('a/b')).toBeNull()
    expect(await store.sweepTemporary(0)).toBe(1)
  })

  it('reports a full disk, keeps existing blobs and leaves no half-written file', async (context) => {
    const small = path.join(folder, 'small')
    await mkdir(small)
    const mount = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small])
    if (mount.status !== 0) return context.skip('mounting a small file system takes root')
    try {
      const smallStore = createDiskBlobStore({ folder: small })
      await smallStore.put('a/kept', Buffer.alloc(1_000_000))
      await expect(smallStore.put('a/big', Buffer.alloc(1_500_000))).rejects.toThrow(StorageFullError)
      await expect(smallStore.put('a/kept', [Buffer.alloc(900_000), Buffer.alloc(900_000)])).rejects.toThrow(
        StorageFullError,
      )
      const upload = path.join(folder, 'upload')
      await writeFile(upload, Buffer.alloc(1_500_000))
      await expect(smallStore.adopt(upload, 'a/source')).rejects.toThrow(StorageFullError)
      expect((await stat(upload)).size).toBe(1_500_000)
      expect(await readdir(path.join(small, 'blobs/a'))).toEqual(['kept'])
      expect(await readdir(path.join(small, 'temporary'))).toEqual([])
      expect(await smallStore.stat('a/kept')).toMatchObject({ sizeBytes: 1_000_000 })
    } finally {
      spawnSync('/bin/umount', [small])
    }
  })
})
