import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/log/log.ts'
import { isProcessRunning, removeFoldersOfKilled, showProcess } from './process-sign.ts'

let parent: string
const log = createLog({ level: 'silent' })
const listen = `require('net').createServer().listen(process.argv[1], () => console.log('listening'))`
const minuteAgo = new Date(Date.now() - 60_000)

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'zoetrope-sign-'))
})

afterAll(() => rm(parent, { recursive: true }))

const makeFolder = async (folder: string, nodeId: string): Promise<void> => {
  await mkdir(join(folder, nodeId))
  await writeFile(join(folder, nodeId, 'segment.mp4'), '')
}

/** Leaves the folder and the socket of a process that was killed. */
const leaveKilled = async (folder: string, nodeId: string): Promise<void> => {
  await makeFolder(folder, nodeId)
  const child = spawn(process.execPath, ['-e', listen, `${nodeId}.sock`], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test.each([
  ['', 'short'],
  [', also with a path that is too long for a socket', 'long'.repeat(50)],
])('folders of killed nodes are removed, those of running and starting ones stay%s', async (_case, name) => {
  const folder = join(parent, name)
  await mkdir(folder)
  await leaveKilled(folder, 'killed')
  await utimes(join(folder, 'killed.sock'), minuteAgo, minuteAgo)
  await leaveKilled(folder, 'young')
  await makeFolder(folder, 'running')
  const sign = await showProcess(folder, 'running', log)
  await utimes(join(folder, 'running.sock'), minuteAgo, minuteAgo)
  await makeFolder(folder, 'starting')
  expect(await isProcessRunning(folder, 'running')).toBe(true)
  expect(await isProcessRunning(folder, 'killed')).toBe(false)
  await removeFoldersOfKilled(folder)
  expect((await readdir(folder)).sort()).toEqual([
    ...['running', 'running.sock', 'starting', 'young', 'young.sock'],
  ])
  sign.remove()
  expect(await isProcessRunning(folder, 'running')).toBe(false)
})
