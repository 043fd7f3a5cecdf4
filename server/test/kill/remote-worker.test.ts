import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createRemoteWorker,
  listRemoteWorkers,
  revokeRemoteWorker,
} from '../../src/ingest/encoding/remote/remote-worker-store.ts'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { compileCache } from '../support/compile-cache.ts'
import { waitFor } from '../support/wait-for.ts'
import { chunkProject, makeChunkSource } from './chunk-scenario.ts'
import { checkWhole } from './encode-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'
import { mainScript } from '../support/main-script.ts'

let installation: Installation
let database: Database
let folder: string
const running = new Set<ChildProcess>()

beforeAll(async () => {
  installation = await createInstallation({ ZOETROPE_ENCODER_CONCURRENCY: '0' })
  await installation.start()
  database = openDatabase(await installation.connection(), { maxConnections: 1 })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-remote-'))
})

const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000)

/** Makes a folder as a worker that was killed two days ago has left it. */
const leaveFolder = async (name: string): Promise<void> => {
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'source.mp4'), '')
  await utimes(join(folder, name), twoDaysAgo, twoDaysAgo)
}

afterAll(async () => {
  for (const worker of running) worker.kill('SIGKILL')
  await database.close()
  await installation.remove()
  await rm(folder, { recursive: true, force: true })
})

interface RemoteWorker {
  readonly id: number
  readonly process: ChildProcess
  readonly log: () => string
}

/** As on a machine that has nothing but the token. */
const startRemote = async (name: string): Promise<RemoteWorker> => {
  const { id, token } = await createRemoteWorker(database.kysely, name)
  const tokenFile = join(folder, `${name}.token`)
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600 })
  const args = ['worker', '--server', installation.url, '--token-file', tokenFile, '--work-folder', '.']
  const child = spawn(process.execPath, [mainScript, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(String(part)))
  return { id, process: child, log: () => parts.join('') }
}

const chunksOf = () =>
  database.kysely.selectFrom('encode_chunks').select(['number', 'state', 'worker_id', 'claim']).execute()

const upload = async (bytes: Buffer): Promise<string> => {
  const project = await installation.call('POST', '/projects', chunkProject)
  const created = await installation.call('POST', `/projects/${project.body.Id}/files`, {
    FileName: 'remote.mp4',
    FileSize: bytes.length,
  })
  await fetch(created.body.Upload.URI as string, { method: 'PUT', body: bytes as BodyInit })
  return `/projects/${project.body.Id}/files/${created.body.Id}`
}

test('two remote workers encode a film without a local encoder; kill -9 of one costs a retry of its chunk', async () => {
  await leaveFolder('zoetrope-worker-killed')
  await leaveFolder('of-others')
  const workers = [await startRemote('first'), await startRemote('second')]
  const source = await makeChunkSource()
  const path = await upload(source.bytes)
  const both = await waitFor(
    chunksOf,
    (rows) => rows.filter(({ worker_id }) => worker_id !== null).length === 2,
  ).catch((error: unknown) => {
    throw new Error(workers.map(({ log }) => log()).join('\n'), { cause: error })
  })
  const folders = await readdir(folder)
  expect(folders).toContain('of-others')
  expect(folders).not.toContain('zoetrope-worker-killed')
  const claimedBefore = both.map(({ claim }) => claim)
  const [killed, left] = workers as [RemoteWorker, RemoteWorker]
  const environment = await readFile(`/proc/${killed.process.pid}/environ`, 'utf8')
  const names = environment.split('\0').map((entry) => entry.split('=')[0])
  expect(names.filter((name) => name !== '')).toEqual(['PATH', 'NODE_COMPILE_CACHE'])
  killed.process.kill('SIGKILL')
  const file = await waitFor(
    async () => (await installation.call('GET', path)).body,
    ({ IsFinished }) => IsFinished === true,
  )
  await checkWhole(installation, file, {
    frameCount: source.frameCount,
    renditions: ['180p', '90p', 'audio'],
  })
  const rows = await listRemoteWorkers(database.kysely)
  expect(rows.find(({ id }) => id === left.id)).toMatchObject({
    done_count: claimedBefore.length,
    cores: expect.any(Number),
  })
  expect(rows.find(({ id }) => id === killed.id)).toMatchObject({ done_count: 0 })

  await revokeRemoteWorker(database.kysely, left.id)
  const [exitCode] = (await once(left.process, 'exit')) as [number]
  expect(exitCode).toBe(1)
  expect(left.log()).toContain('worker token is malformed, revoked')
})
