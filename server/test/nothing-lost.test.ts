import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrames, makeSample } from './support/media.ts'
import { findFreePort, startProduct, type Product } from './support/product.ts'
import { beginUpload } from './support/slow-upload.ts'
import { request } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

const MiB = 1024 * 1024

let dataFolder: string
let port: number
let receiver: WebhookReceiver
let product: Product
let projectId: number

const call = (method: string, path: string, body?: object) =>
  request(`${product.url}/v3${path}`, method, { apiKey: product.apiKey, ...(body === undefined ? {} : { body }) })

const start = async (): Promise<void> => {
  product = await startProduct(dataFolder, port, { ZOETROPE_RETENTION_DAYS: '0' })
}

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-kill-'))
  port = await findFreePort()
  receiver = await startWebhookReceiver()
  await start()
  const project = await call('POST', '/projects', { Name: 'Killed', DefaultReleaseStatus: 'published' })
  projectId = project.body.Id
  await call('POST', '/modules/notifications', { TargetURL: receiver.url, EventTypes: ['file.*'] })
})

afterAll(async () => {
  await product.stop()
  await receiver.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

const createFile = async (fileName: string, sizeBytes: number) => {
  const created = await call('POST', `/projects/${projectId}/files`, { FileName: fileName, FileSize: sizeBytes })
  expect(created.status).toBe(201)
  return { id: created.body.Id as number, uploadUrl: created.body.Upload.URI as string }
}

const readFileRecord = async (fileId: number) => (await call('GET', `/projects/${projectId}/files/${fileId}`)).body

const untilFinished = (fileId: number) =>
  waitFor(
    () => readFileRecord(fileId),
    (file) => file.IsFinished === true,
    90_000,
  )

const offsetOf = async (uploadUrl: string): Promise<number> =>
  Number((await request(uploadUrl, 'HEAD')).headers.get('upload-offset'))

/** All files of one media file, as paths below its folder. */
const mediaOf = async (fileId: number): Promise<string[]> => {
  const folder = join(dataFolder, 'media', 'blobs', `a1/p${projectId}/f${fileId}`)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** What jobs keep in their folders below the worker's own. */
const temporaryFiles = async (): Promise<string[]> =>
  (await readdir(join(dataFolder, 'work'), { recursive: true })).filter((path) => path.includes('/'))

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const untilStaged = (sizeBytes: number) =>
  waitFor(
    async () => {
      const folder = join(dataFolder, 'uploads')
      const names = await readdir(folder)
      const sizes = await Promise.all(names.map(async (name) => (await readFile(join(folder, name))).length))
      return Math.max(0, ...sizes)
    },
    (size) => size >= sizeBytes,
  )

test('an upload that kill -9 of everything cuts off goes on behind its last acknowledged byte', async () => {
  const bytes = Buffer.concat([await makeSample({ seconds: 2 }), randomBytes(6 * MiB)])
  const { id, uploadUrl } = await createFile('resumed.mp4', bytes.length)
  const acknowledged = await request(uploadUrl, 'PUT', {
    body: bytes.subarray(0, 2 * MiB),
    headers: { 'Content-Range': `bytes 0-${2 * MiB - 1}/${bytes.length}` },
  })
  expect(acknowledged.body).toMatchObject({ Offset: 2 * MiB, IsComplete: false })
  const upload = beginUpload(uploadUrl, bytes.subarray(2 * MiB), {
    sendBytes: 2 * MiB,
    headers: { 'Content-Range': `bytes ${2 * MiB}-${bytes.length - 1}/${bytes.length}` },
  })
  await untilStaged(3 * MiB)
  await product.kill()
  await upload.ended
  await start()
  const offset = await offsetOf(uploadUrl)
  expect(offset).toBeGreaterThanOrEqual(2 * MiB)
  const rest = await request(uploadUrl, 'PUT', {
    body: bytes.subarray(offset),
    headers: { 'Content-Range': `bytes ${offset}-${bytes.length - 1}/${bytes.length}` },
  })
  expect(rest.body).toMatchObject({ Offset: bytes.length, IsComplete: true })
  const source = await readFile(join(dataFolder, 'media', 'blobs', `a1/p${projectId}/f${id}/source`))
  expect(sha256(source)).toBe(sha256(bytes))
  expect((await untilFinished(id)).IsPlayable).toBe(true)
})

test('kill -9 of the api process alone: it comes back, and the upload goes on', async () => {
  const bytes = randomBytes(5 * MiB)
  const { uploadUrl } = await createFile('api-killed.bin', bytes.length)
  const upload = beginUpload(uploadUrl, bytes, { sendBytes: 3 * MiB })
  await untilStaged(2 * MiB)
  process.kill(await product.rolePid('api'), 'SIGKILL')
  await upload.ended
  const offset = await waitFor(
    () => offsetOf(uploadUrl).catch(() => 0),
    (found) => found > 0,
  )
  const rest = await request(uploadUrl, 'PUT', {
    body: bytes.subarray(offset),
    headers: { 'Content-Range': `bytes ${offset}-${bytes.length - 1}/${bytes.length}` },
  })
  expect(rest.body).toMatchObject({ IsComplete: true })
})

test('an encode that kill -9 cuts off is done again by itself, without a step back for viewers and without leftovers', async () => {
  const bytes = await makeSample({
    seconds: 30,
    size: '1280x720',
    videoCodec: 'mpeg4',
    format: 'mkv',
    extra: ['-q:v', '3'],
  })
  const { id, uploadUrl } = await createFile('encoded.mkv', bytes.length)
  await request(uploadUrl, 'PUT', { body: bytes })
  await waitFor(
    () => readFileRecord(id),
    (file) => file.IsPlayable === true,
  )
  await product.kill()
  await start()
  const states = new Set<string>()
  const file = await waitFor(
    async () => {
      const record = await readFileRecord(id)
      states.add(record.Status)
      return record
    },
    (record) => record.IsFinished === true,
    120_000,
  )
  expect([...states].every((state) => ['playable', 'finished'].includes(state))).toBe(true)
  expect(file).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(await countFrames(file.Playouts[0].HLS)).toBeGreaterThanOrEqual(900)

  // Exactly what the record names is there: the source, the pictures, and the folders of its renditions.
  const folders = new Set((await mediaOf(id)).map((path) => path.split('/')[0]))
  expect(folders.size).toBe(2 + file.Renditions.length)
  await waitFor(temporaryFiles, (left) => left.length === 0)
})

test('events of acknowledged changes reach the receiver in order, whatever is killed meanwhile', async () => {
  const { id } = await createFile('told.mp4', 1_000)
  const changes = 60
  for (let change = 1; change <= changes; change += 1) {
    const updated = await call('PUT', `/projects/${projectId}/files/${id}/metadata`, { Title: `Title ${change}` })
    expect(updated.status).toBe(200)
    if (change === 20) process.kill(await product.rolePid('worker'), 'SIGKILL')
    if (change === 40) {
      await product.kill()
      await start()
    }
  }
  const titlesOf = () =>
    receiver.received
      .filter(({ event }) => event.File.Id === id && event.Event === 'file.updated')
      .map(({ event, headers }) => ({ title: event.File.Metadata.Title as string, sequence: event.Sequence as number, id: headers['webhook-id'] }))
  await waitFor(
    async () => new Set(titlesOf().map(({ title }) => title)).size,
    (distinct) => distinct === changes,
    60_000,
  )
  // At least once: a repeat has the id of the first, so that the receiver can drop it; firsts come in order.
  const firsts = titlesOf().filter(({ id: webhookId }, index, all) => all.findIndex((one) => one.id === webhookId) === index)
  expect(firsts).toHaveLength(changes)
  expect(firsts.map(({ sequence }) => sequence)).toEqual(firsts.map(({ sequence }) => sequence).toSorted((a, b) => a - b))
})

test('a file that is deleted while it is encoded leaves nothing, and no encoder goes on', async () => {
  const bytes = await makeSample({ seconds: 30, size: '1280x720', videoCodec: 'mpeg4', format: 'mkv', extra: ['-q:v', '3'] })
  const { id, uploadUrl } = await createFile('deleted.mkv', bytes.length)
  await request(uploadUrl, 'PUT', { body: bytes })
  await waitFor(
    () => readFileRecord(id),
    (file) => file.IsPlayable === true,
  )
  expect((await call('DELETE', `/projects/${projectId}/files/${id}`)).status).toBe(200)
  await waitFor(
    async () => [...(await mediaOf(id)), ...(await temporaryFiles())],
    (left) => left.length === 0,
  )
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends everything in order, and what was under way goes on at the next start', async (signal) => {
  const bytes = randomBytes(4 * MiB)
  const { uploadUrl } = await createFile('stopped.bin', bytes.length)
  await request(uploadUrl, 'PUT', {
    body: bytes.subarray(0, MiB),
    headers: { 'Content-Range': `bytes 0-${MiB - 1}/${bytes.length}` },
  })
  expect(await product.stop(signal)).toBe(0)
  expect(await product.processes()).toEqual([])
  await start()
  expect(await offsetOf(uploadUrl)).toBe(MiB)
})
