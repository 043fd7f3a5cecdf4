import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../platform/log/log.ts'
import { openWorkFolder } from './open-work-folder.ts'

const hourMs = 3_600_000
const log = createLog({ level: 'silent' })

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'zoetrope-work-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const age = async (folder: string, hours: number): Promise<void> => {
  const at = new Date(Date.now() - hours * hourMs)
  await utimes(folder, at, at)
}

/** Makes the work folder of another worker, which last used it that long ago. */
const leave = async (name: string, hours: number): Promise<void> => {
  await mkdir(join(parent, name, 'file-1'), { recursive: true })
  await age(join(parent, name), hours)
}

test('a worker that starts deletes only folders that no job can still use', async () => {
  await leave('dead', 26)
  await leave('other', 24)
  const folder = await openWorkFolder(parent, { isOnlyWorker: false, log })
  expect(new Set(await readdir(parent))).toEqual(new Set(['other', basename(folder.path)]))
  await folder.remove()
  expect(await readdir(parent)).toEqual(['other'])
})

test('the only worker deletes all other folders when it starts', async () => {
  await leave('other', 1)
  const folder = await openWorkFolder(parent, { isOnlyWorker: true, log })
  expect(await readdir(parent)).toEqual([basename(folder.path)])
  await folder.remove()
})

test('a running worker deletes folders of dead workers, and keeps its own when it is idle', async () => {
  const folder = await openWorkFolder(parent, { isOnlyWorker: false, log, sweepEveryMs: 10 })
  await leave('other', 24)
  await age(folder.path, 26)
  await leave('dead', 26)
  await expect.poll(() => readdir(parent)).not.toContain('dead')
  expect(new Set(await readdir(parent))).toEqual(new Set(['other', basename(folder.path)]))
  await folder.remove()
})
