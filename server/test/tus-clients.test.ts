import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Upload, type UploadOptions } from 'tus-js-client'
import type UppyCore from '@uppy/core'
import type UppyTus from '@uppy/tus'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closePages, openBrowser } from './support/browser.ts'
import { startCuttingProxy, type CuttingProxy } from './support/cutting-proxy.ts'
import { findFreePort } from './support/free-port.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const MiB = 1024 * 1024
const bytes = randomBytes(6 * MiB)
/** Offsets at which three consecutive connections break in the middle of the body. */
const badLuck = [2.5 * MiB, 2 * MiB, 0.5 * MiB]

let server: TestServer
let proxy: CuttingProxy
let projectId: number

beforeAll(async () => {
  const [serverPort, proxyPort] = [await findFreePort(), await findFreePort()]
  proxy = await startCuttingProxy(proxyPort, serverPort)
  server = await startTestServer({
    environment: {
      ZOETROPE_PORT: String(serverPort),
      ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
    },
  })
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Clients' } })).body.Id
})

afterAll(async () => {
  await proxy.close()
  await server.stop()
})

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

const newestFile = async () =>
  (await server.call('GET', `/projects/${projectId}/files?limit=1`)).body.Files[0]

const expectStored = async (fileId: number): Promise<void> => {
  const source = await server.services.blobs.read(`a1/p${projectId}/f${fileId}/source`)
  expect(sha256(source)).toBe(sha256(bytes))
}

const uploadWith = (options: UploadOptions): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      retryDelays: [0, 20, 50, 100, 200],
      headers: { Authorization: `Bearer ${server.apiKey}` },
      metadata: { filename: 'from-node.mp4', filetype: 'video/mp4', title: 'From Node' },
      ...options,
      onSuccess: () => resolve(upload.url),
      onError: reject,
    })
    upload.start()
  })

const endpoint = (): string => `${server.url}/v3/projects/${projectId}/tus`

test('tus-js-client creates and uploads a file over breaking connections', async () => {
  proxy.cutAfter(badLuck)
  const before = proxy.cuts()
  await uploadWith({ endpoint: endpoint() })
  expect(proxy.cuts() - before).toBe(3)
  const file = await newestFile()
  expect(file.Metadata).toMatchObject({ OriginalFileName: 'from-node.mp4', Title: 'From Node' })
  await expectStored(file.Id)
})

test('tus-js-client uploads in chunks, with creation-with-upload and a deferred length', async () => {
  proxy.cutAfter([1.5 * MiB])
  await uploadWith({ endpoint: endpoint(), chunkSize: MiB, uploadDataDuringCreation: true })
  await expectStored((await newestFile()).Id)
  await uploadWith({ endpoint: endpoint(), chunkSize: MiB, uploadLengthDeferred: true })
  await expectStored((await newestFile()).Id)
})

test('tus-js-client uploads in parallel parts', async () => {
  proxy.cutAfter([MiB, 0.5 * MiB])
  await uploadWith({ endpoint: endpoint(), parallelUploads: 3 })
  const file = await newestFile()
  expect(file.Metadata.OriginalFileName).toBe('from-node.mp4')
  await expectStored(file.Id)
})

test('tus-js-client uploads to an upload URL of the back end without an API key, with a pause', async () => {
  proxy.cutAfter([])
  const created = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', FileSize: bytes.length },
  })
  const uploadUrl: string = created.body.Upload.TusURI
  await new Promise<void>((resolve, reject) => {
    let isPaused = false
    const upload = new Upload(bytes, {
      uploadUrl,
      chunkSize: MiB,
      retryDelays: null,
      onChunkComplete: (_size, accepted) => {
        if (isPaused || accepted < 2 * MiB) return
        isPaused = true
        upload.abort().then(() => upload.start(), reject)
      },
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
  await expectStored(created.body.Id)
})

test('terminating an upload deletes its record', async () => {
  const created = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', FileSize: bytes.length },
  })
  await Upload.terminate(created.body.Upload.TusURI)
  expect((await server.call('GET', `/projects/${projectId}/files/${created.body.Id}`)).status).toBe(404)
})

/** Uploads the bytes from a page of another origin over breaking connections. `start` runs in the page. */
const uploadFromPage = async (
  script: { path: string } | { content: string },
  start: (uploadUrl: string) => Promise<void>,
): Promise<void> => {
  const created = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: 'a.mp4', FileSize: bytes.length },
  })
  const pages = createServer((asked, answer) => {
    if (asked.url === '/bytes') answer.end(bytes)
    else answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Upload</title>')
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
    await page.addScriptTag(script)
    proxy.cutAfter(badLuck)
    const before = proxy.cuts()
    await page.evaluate(start, created.body.Upload.TusURI as string)
    expect(proxy.cuts() - before).toBe(3)
  } finally {
    await closePages(browser)
    pages.close()
  }
  await expectStored(created.body.Id)
}

test('tus-js-client in a page of another origin uploads to an upload URL over breaking connections', async () => {
  const client = dirname(createRequire(import.meta.url).resolve('tus-js-client/package.json'))
  await uploadFromPage({ path: join(client, 'dist', 'tus.min.js') }, async (uploadUrl) => {
    const blob = await (await fetch('/bytes')).blob()
    const { tus } = globalThis as unknown as { tus: { Upload: typeof Upload } }
    await new Promise<void>((resolve, reject) => {
      new tus.Upload(blob, {
        uploadUrl,
        retryDelays: [0, 50, 100, 200, 400],
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
  })
})

const bundleUppy = async (): Promise<string> => {
  const entry = join(import.meta.dirname, 'uppy-page.js')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) =>
          id === entry
            ? 'import Uppy from "@uppy/core"; import Tus from "@uppy/tus"; globalThis.uppy = { Uppy, Tus }'
            : null,
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  })
  const [bundle] = [built].flat()
  if (bundle === undefined || !('output' in bundle)) throw new Error('Vite made no bundle.')
  return bundle.output[0].code
}

test('Uppy in a page of another origin uploads to an upload URL over breaking connections', async () => {
  await uploadFromPage({ content: await bundleUppy() }, async (uploadUrl) => {
    const blob = await (await fetch('/bytes')).blob()
    const { Uppy, Tus } = (globalThis as unknown as { uppy: { Uppy: typeof UppyCore; Tus: typeof UppyTus } })
      .uppy
    const uppy = new Uppy().use(Tus, { uploadUrl, retryDelays: [0, 50, 100, 200, 400] })
    uppy.addFile({ name: 'a.mp4', type: 'video/mp4', data: blob })
    const result = await uppy.upload()
    if (result?.successful?.length !== 1) throw new Error(`Uppy failed: ${JSON.stringify(result?.failed)}`)
  })
})
