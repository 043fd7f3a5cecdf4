import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSample } from '../../../server/test/support/media.ts'
import { startTestServer, type TestServer } from '../../../server/test/support/test-server.ts'
import {
  ConnectionError,
  FileFailedError,
  NotFoundError,
  TimeoutError,
  Zoetrope,
  type UploadInput,
} from '../src/index.ts'
import { startFaultyProxy, type Fault } from './faulty-proxy.ts'

let server: TestServer
let zoetrope: Zoetrope
let projectId: number
let video: Buffer
let folder: string
let path: string

const partBytes = 20_000

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  zoetrope = new Zoetrope({ baseUrl: server.url, apiKey: server.apiKey })
  projectId = (await zoetrope.projects.create({ Name: 'Uploads' })).Id
  video = await makeSample({ seconds: 2 })
  expect(video.length).toBeGreaterThan(3 * partBytes)
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-sdk-'))
  path = join(folder, 'opening.mp4')
  await writeFile(path, video)
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

describe('an upload of', () => {
  const bytesOf = () => new Uint8Array(video)
  const inputs: [string, () => UploadInput][] = [
    ['a path', () => path],
    ['a Blob', () => new Blob([bytesOf()])],
    ['a File', () => new File([bytesOf()], 'opening.mp4')],
    ['bytes', bytesOf],
    ['a generator', () => inPieces(bytesOf(), 7_001)],
    ['a ReadableStream', () => new Blob([bytesOf()]).stream()],
  ]
  test.each(inputs)('%s in parts is complete and playable', async (_name, input) => {
    const progress: number[] = []
    const file = await zoetrope.files.upload(projectId, input(), {
      fileName: 'opening.mp4',
      partBytes,
      Metadata: { Title: 'Opening night' },
      onProgress: ({ sentBytes }) => progress.push(sentBytes),
    })
    expect(file.Metadata).toMatchObject({ Title: 'Opening night', OriginalFileName: 'opening.mp4' })
    expect(progress).toHaveLength(Math.ceil(video.length / partBytes))
    expect(progress.at(-1)).toBe(video.length)
    const playable = await zoetrope.files.waitFor(projectId, file.Id, 'playable', { timeoutMs: 30_000 })
    expect(playable.Properties?.Size).toBe(video.length)
  })

  test('a source that fits one part uses one request', async () => {
    const proxy = await startFaultyProxy(server.url, () => 'none')
    const client = clientThrough(proxy.url)
    await client.files.upload(projectId, path)
    expect(proxy.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    await proxy.stop()
  })

  test('a stream that ends at a part boundary is complete', async () => {
    const file = await zoetrope.files.upload(projectId, inPieces(video, 5_000), {
      fileName: 'whole.mp4',
      partBytes: video.length,
    })
    const playable = await zoetrope.files.waitFor(projectId, file.Id, 'playable', { timeoutMs: 30_000 })
    expect(playable.Properties?.Size).toBe(video.length)
  })
})

/** Returns a client that also sends uploads through the proxy: the upload URL names the server itself. */
const clientThrough = (proxyUrl: string): Zoetrope =>
  new Zoetrope({
    baseUrl: proxyUrl,
    apiKey: server.apiKey,
    // The client calls fetch with plain URLs only.
    fetch: (url, init) => fetch((url as string).replace(server.url, proxyUrl), init),
  })

test.each<[string, Fault]>([
  ['connections that break in the middle of a part', { cutAfterBytes: 6_000 }],
  ['answers that are lost', 'lose answer'],
  ['a server that is away', { status: 503 }],
])('an upload survives %s', async (_name, fault) => {
  let puts = 0
  const proxy = await startFaultyProxy(server.url, ({ method }) => {
    if (method !== 'PUT') return 'none'
    puts += 1
    return puts % 2 === 1 ? fault : 'none'
  })
  const source = inPieces(video, 9_000)
  const file = await clientThrough(proxy.url).files.upload(projectId, source, {
    fileName: 'a.mp4',
    partBytes,
  })
  await proxy.stop()
  const playable = await zoetrope.files.waitFor(projectId, file.Id, 'playable', { timeoutMs: 30_000 })
  expect(playable.Properties?.Size).toBe(video.length)
})

test('an upload ends when the server asks it to come back in ten minutes', async () => {
  let puts = 0
  const proxy = await startFaultyProxy(server.url, ({ method }) => {
    if (method !== 'PUT') return 'none'
    puts += 1
    return { status: 503, headers: { 'Retry-After': '600' } }
  })
  const upload = clientThrough(proxy.url).files.upload(projectId, inPieces(video, 9_000), {
    fileName: 'a.mp4',
    partBytes,
  })
  await expect(upload).rejects.toMatchObject({ status: 503, retryAfterSeconds: 600 })
  await proxy.stop()
  expect(puts).toBe(1)
})

test('an interrupted upload resumes in another process and sends only the missing bytes', async () => {
  const started: { fileId: number; uploadUri: string }[] = []
  const controller = new AbortController()
  const broken = zoetrope.files.upload(projectId, path, {
    partBytes,
    onStart: (info) => started.push(info),
    onProgress: () => controller.abort(new Error('power cut')),
    signal: controller.signal,
  })
  await expect(broken).rejects.toThrow('power cut')
  const [resume] = started
  const sent: number[] = []
  const file = await zoetrope.files.upload(projectId, path, {
    ...(resume && { resume }),
    partBytes,
    onProgress: ({ sentBytes }) => sent.push(sentBytes),
  })
  expect(file.Id).toBe(resume?.fileId)
  expect(sent[0]).toBe(2 * partBytes)
  const again = await zoetrope.files.upload(projectId, path, { ...(resume && { resume }) })
  expect(again.Id).toBe(file.Id)
})

test('resuming an unknown upload throws NotFoundError', async () => {
  const resume = { fileId: 1, uploadUri: `${server.url}/uploads/${'a'.repeat(43)}` }
  await expect(zoetrope.files.upload(projectId, path, { resume })).rejects.toThrow(NotFoundError)
})

test('an upload without a connection throws ConnectionError, without its secret URL', async () => {
  const away = new Zoetrope({
    baseUrl: server.url,
    apiKey: server.apiKey,
    // The error of a browser.
    fetch: async () => Promise.reject(new TypeError('Failed to fetch')),
  })
  const resume = { fileId: 1, uploadUri: `${server.url}/uploads/secret` }
  const error: unknown = await away.files
    .upload(projectId, path, { resume })
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ConnectionError)
  expect(String(error)).not.toContain('secret')
})

test('an empty source, a missing file and a nameless source are rejected before a record is created', async () => {
  const { TotalCount } = await zoetrope.files.list(projectId)
  await expect(zoetrope.files.upload(projectId, new Uint8Array())).rejects.toThrow('empty')
  await expect(zoetrope.files.upload(projectId, join(folder, 'missing.mp4'))).rejects.toThrow('ENOENT')
  await expect(zoetrope.files.upload(projectId, inPieces(video, 1_000))).rejects.toThrow('fileName')
  expect((await zoetrope.files.list(projectId)).TotalCount).toBe(TotalCount)
})

test('waitFor throws FileFailedError for a file without media and TimeoutError after the timeout', async () => {
  const text = await zoetrope.files.upload(projectId, new TextEncoder().encode('no video'), {
    fileName: 'a.mp4',
  })
  await expect(zoetrope.files.waitFor(projectId, text.Id, 'finished')).rejects.toThrow(FileFailedError)
  const empty = await zoetrope.files.create(projectId, { FileName: 'never.mp4' })
  const startMs = performance.now()
  await expect(zoetrope.files.waitFor(projectId, empty.Id, 'playable', { timeoutMs: 700 })).rejects.toThrow(
    TimeoutError,
  )
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(690)
})

test('a signal ends an upload whose stream sends nothing, and cancels the stream', async () => {
  const controller = new AbortController()
  const silent = new ReadableStream<Uint8Array>({ pull: () => controller.abort(new Error('enough')) })
  const uploading = zoetrope.files.upload(projectId, silent, {
    fileName: 'a.mp4',
    signal: controller.signal,
  })
  await expect(uploading).rejects.toThrow('enough')

  let isCancelled = false
  const tooMuch = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(partBytes)),
    cancel: () => {
      isCancelled = true
    },
  })
  const proxy = await startFaultyProxy(server.url, ({ method }) =>
    method === 'PUT' ? { status: 413 } : 'none',
  )
  const refused = clientThrough(proxy.url).files.upload(projectId, tooMuch, { fileName: 'a.mp4', partBytes })
  await expect(refused).rejects.toThrow('413')
  await expect.poll(() => isCancelled).toBe(true)
  await proxy.stop()
})
