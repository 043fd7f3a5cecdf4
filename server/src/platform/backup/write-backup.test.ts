import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BackupInterrupted } from './backup-manifest.ts'
import { writeBackup } from './write-backup.ts'

let base: string
let dataFolder: string
let folder: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-write-'))
  dataFolder = join(base, 'data')
  folder = join(base, 'backup')
  await mkdir(join(dataFolder, 'media/blobs'), { recursive: true })
  await writeFile(join(dataFolder, 'media/blobs/source'), 'video')
})

afterEach(() => rm(base, { recursive: true, force: true }))

const fullDisk = async (): Promise<never> => {
  expect(await readdir(join(folder, 'data/media/blobs'))).toEqual(['source'])
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
}

const backUp = (
  openDatabase: () => Promise<never>,
  { signal = new AbortController().signal, to = folder }: { signal?: AbortSignal; to?: string } = {},
) =>
  writeBackup({
    dataFolder,
    folder: to,
    openDatabase,
    version: '1.0.0',
    isMediaOnDisk: true,
    masterKeyFingerprint: '',
    recipients: [],
    signal,
    onProgress: () => {},
  })

test('a failed backup deletes its folder and says so', async () => {
  await expect(backUp(fullDisk)).rejects.toThrow(
    'The disk is full (ENOSPC: no space left on device, write). The incomplete backup was deleted.',
  )
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test('a failed backup empties a folder that was there before', async () => {
  await mkdir(folder)
  await expect(backUp(fullDisk)).rejects.toThrow('The disk is full')
  expect(await readdir(folder)).toEqual([])
})

test('an interrupted backup deletes its folder', async () => {
  const stopping = new AbortController()
  const interrupt = async (): Promise<never> => {
    stopping.abort()
    return Promise.reject(stopping.signal.reason as Error)
  }
  const made = backUp(interrupt, { signal: stopping.signal })
  await expect(made).rejects.toThrow(BackupInterrupted)
  await expect(made).rejects.toThrow('The backup was interrupted. The incomplete backup was deleted.')
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test('leaves the folder of a killed or running backup as it is', async () => {
  await mkdir(join(folder, 'database'), { recursive: true })
  await expect(backUp(fullDisk)).rejects.toThrow('a backup that was interrupted or is still running')
  expect(await readdir(folder)).toEqual(['database'])
})

test('leaves no empty folder in the data folder when it refuses it', async () => {
  await expect(backUp(fullDisk, { to: join(dataFolder, 'backup') })).rejects.toThrow(
    'is inside the data folder',
  )
  expect(await readdir(dataFolder)).toEqual(['media'])
})

test('names a file in the place of the folder', async () => {
  await writeFile(folder, '')
  await expect(backUp(fullDisk)).rejects.toThrow(`${folder} is a file`)
})
