import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listingPageSize, startS3Server, type S3Server } from '../../../../test/support/s3-server.ts'
import { describeBlobStorePromises } from '../blob-store.promises.ts'
import { BlobNotFoundError, BlobStoreUnavailableError, StorageFullError } from '../blob-store.ts'
import { createS3BlobStore, type S3BlobStoreOptions } from './s3-blob-store.ts'
import { createS3Client } from './s3-client.ts'

const settingsOf = ({ bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Server) => ({
  bucket,
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
})

describeBlobStorePromises('an S3 bucket', async () => {
  const server = await startS3Server()
  if ('unavailable' in server) return server
  const scratchFolder = await mkdtemp(path.join(os.tmpdir(), 'zoetrope-scratch-'))
  return {
    store: createS3BlobStore({ ...settingsOf(server), prefix: 'zoetrope/', scratchFolder }),
    stop: async () => {
      await server.stop()
      await rm(scratchFolder, { recursive: true, force: true })
    },
  }
})

const startCuttingProxy = async (targetPort: number, cutAfterBytes: number, cutCount: number) => {
  let cutsLeft = cutCount
  let answeredBytes = 0
  const server = net.createServer((client) => {
    const target = net.connect(targetPort, '127.0.0.1')
    let connectionBytes = 0
    client.pipe(target)
    target.on('data', (data: Buffer) => {
      connectionBytes += data.length
      answeredBytes += data.length
      client.write(data)
      if (connectionBytes < cutAfterBytes || cutsLeft === 0) return
      cutsLeft -= 1
      client.destroy()
      target.destroy()
    })
    target.on('end', () => client.end())
    for (const socket of [client, target]) {
      socket.on('error', () => {
        client.destroy()
        target.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    cutsLeft: () => cutsLeft,
    answeredBytes: () => answeredBytes,
    stop: () => server.close(),
  }
}

describe('an S3 blob store', () => {
  let server: S3Server | { readonly unavailable: string }
  let scratchFolder: string
  let options: S3BlobStoreOptions

  beforeAll(async () => {
    scratchFolder = await mkdtemp(path.join(os.tmpdir(), 'zoetrope-scratch-'))
    server = await startS3Server()
    if ('stop' in server) options = { ...settingsOf(server), scratchFolder }
  })
  afterAll(async () => {
    if ('stop' in server) await server.stop()
    await rm(scratchFolder, { recursive: true, force: true })
  })
  beforeEach((context) => {
    if ('unavailable' in server) context.skip(server.unavailable)
  })

  it.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'refuses the credentials (SignatureDoesNotMatch)'],
    ['an unknown key', { accessKeyId: 'test:nobody' }, 'refuses the credentials'],
    ['a bucket that does not exist', { bucket: 'absent' }, 'bucket does not exist'],
    ['an unreachable address', { endpoint: 'http://127.0.0.1:1' }, 'does not respond'],
  ])('reports the fault when configured with %s', async (_, wrong, sentence) => {
    const store = createS3BlobStore({ ...options, ...wrong })
    await expect(store.checkHealth()).rejects.toThrow(BlobStoreUnavailableError)
    await expect(store.checkHealth()).rejects.toThrow(sentence)
    await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(sentence)
  })

  it('reports a full store', async () => {
    const full = http.createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(403, { 'content-type': 'application/xml' })
        response.end('<?xml version="1.0"?><Error><Code>QuotaExceeded</Code><Message>full</Message></Error>')
      })
    })
    full.listen(0, '127.0.0.1')
    await once(full, 'listening')
    const endpoint = `http://127.0.0.1:${String((full.address() as AddressInfo).port)}`
    const store = createS3BlobStore({ ...options, endpoint })
    await expect(store.put('a/b', Buffer.from('x'))).rejects.toThrow(StorageFullError)
    full.closeAllConnections()
    full.close()
  })

  it('separates the keys of different prefixes', async () => {
    const one = createS3BlobStore({ ...options, prefix: 'one/' })
    const two = createS3BlobStore({ ...options, prefix: 'two/' })
    await one.put('a/b', Buffer.from('1'))
    expect(await two.stat('a/b')).toBeNull()
    expect(await two.deletePrefix('a/')).toBe(0)
    expect((await one.read('a/b')).toString()).toBe('1')
  })

  it('removes the local copy after its last user, also after a failure', async () => {
    const store = createS3BlobStore(options)
    await store.put('a/source', Buffer.from('media'))
    const first = Promise.withResolvers<void>()
    const used = Promise.withResolvers<string>()
    const long = store.withLocalFile('a/source', async (local) => {
      used.resolve(local)
      await first.promise
    })
    const local = await used.promise
    const failing = store.withLocalFile('a/source', async (samePath) => {
      expect(samePath).toBe(local)
      throw new Error('ffmpeg failed')
    })
    await expect(failing).rejects.toThrow('ffmpeg failed')
    await access(local)
    first.resolve()
    await long
    expect(await readdir(scratchFolder)).toEqual([])
  })

  it('lends the new content after an overwrite', async () => {
    const store = createS3BlobStore(options)
    await store.put('a/changed', Buffer.from('old'))
    await store.withLocalFile('a/changed', async (oldPath) => {
      await store.put('a/changed', Buffer.from('new'))
      await store.withLocalFile('a/changed', async (newPath) => {
        expect((await readFile(newPath)).toString()).toBe('new')
      })
      expect((await readFile(oldPath)).toString()).toBe('old')
    })
  })

  it('resumes a download where the connection broke', async () => {
    const data = Buffer.alloc(12 * 1024 * 1024, 'zoetrope')
    await createS3BlobStore(options).put('a/long', data)
    const proxy = await startCuttingProxy(Number(new URL(options.endpoint ?? '').port), 3 * 1024 * 1024, 3)
    const store = createS3BlobStore({ ...options, endpoint: proxy.endpoint })
    const isWhole = await store.withLocalFile('a/long', async (local) => (await readFile(local)).equals(data))
    expect(isWhole).toBe(true)
    expect(proxy.cutsLeft()).toBe(0)
    // Bytes in flight at a disconnect arrive twice; restarting the download each time would cost 9 MiB more.
    expect(proxy.answeredBytes()).toBeLessThan(data.length + 4 * 1024 * 1024)
    proxy.stop()
  })

  it('sweeps old multipart uploads that a crash left unfinished', async () => {
    const client = createS3Client(options)
    await client.send(new CreateMultipartUploadCommand({ Bucket: options.bucket, Key: 'a/unfinished' }))
    client.destroy()
    const store = createS3BlobStore(options)
    expect(await store.sweepTemporary(3_600_000)).toBe(0)
    // Swift rounds times up to whole seconds.
    expect(await store.sweepTemporary(-2_000)).toBe(1)
    expect(await store.sweepTemporary(-2_000)).toBe(0)
  })

  it('deletes a prefix whose listing has several pages', async () => {
    const store = createS3BlobStore(options)
    const keys = Array.from({ length: 2 * listingPageSize + 1 }, (_, index) => `many/${String(index)}`)
    await Promise.all(keys.map(async (key) => await store.put(key, Buffer.from('x'))))
    expect(await store.deletePrefix('many/')).toBe(keys.length)
    for (const key of keys) expect(await store.stat(key)).toBeNull()
  })
})

it('splits a very large stream of known size into few enough parts', async () => {
  const requests: string[] = []
  const server = http.createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${new URL(request.url ?? '', 'http://any').search}`)
    request.resume().on('end', () => response.writeHead(200, { etag: '"1"' }).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store = createS3BlobStore({
    ...{ bucket: 'bucket', region: 'any', accessKeyId: 'id', secretAccessKey: 'secret' },
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    scratchFolder: 'unused',
  })
  const stream = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.alloc(8_500_000)
  }
  // The body exceeds the minimum part size of 8 MiB, but fits into one part of a ten-thousand-part upload.
  await store.put('a/large', stream(), { sizeBytes: 80 * 1024 ** 3 })
  expect(requests).toEqual([expect.stringMatching(/^PUT .*PutObject/)])
  server.closeAllConnections()
  server.close()
})

/** A store that gives the same answer to each method, or to all. */
const startAnswering = async (answers: Readonly<Record<string, readonly [status: number, body: string]>>) => {
  const server = http.createServer((request, response) => {
    const [status, body] = answers[request.method ?? ''] ?? answers['any'] ?? [500, '']
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'text/html' }).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  return createS3BlobStore({
    ...{ bucket: 'bucket', region: 'any', accessKeyId: 'id', secretAccessKey: 'secret' },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    scratchFolder: 'unused',
  })
}

const pageOfNginx = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`

it.each([
  ['nginx', 404, pageOfNginx('404 Not Found')],
  ['Traefik', 404, '404 page not found\n'],
  ['Envoy', 404, ''],
  ['nginx', 502, pageOfNginx('502 Bad Gateway')],
  ['Traefik', 502, 'Bad Gateway'],
  ['HAProxy', 503, '<html><body><h1>503 Service Unavailable</h1></body></html>'],
  ['Envoy', 503, 'upstream connect error or disconnect/reset before headers'],
])(
  'a store behind %s that answers %i is unavailable, and no object is missing',
  async (_name, status, body) => {
    const store = await startAnswering({ any: [status, body] })
    for (const act of [
      () => store.read('a/b'),
      () => store.put('a/b', Buffer.from('x')),
      () => store.stat('a/b'),
      () => store.list('a/'),
    ])
      await expect(act()).rejects.toThrow(BlobStoreUnavailableError)
  },
)

it('an object is missing in a store that sends no request ids, when a read says so', async () => {
  const missing = [404, '<Error><Code>NoSuchKey</Code><Message>missing</Message></Error>'] as const
  const store = await startAnswering({ HEAD: [404, ''], GET: missing })
  expect(await store.stat('a/b')).toBeNull()
  await expect(store.read('a/b')).rejects.toThrow(BlobNotFoundError)
})

it('a read of a store that never answers ends, and one of a store that sends slowly does not', async () => {
  const server = http.createServer((request, response) => {
    request.resume()
    if (request.url?.includes('silent') === true) return
    response.writeHead(200, { 'content-length': 2, etag: '"1"' }).write('a')
    setTimeout(() => response.end('b'), 1_000)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const store = createS3BlobStore({
    ...{ bucket: 'bucket', region: 'any', accessKeyId: 'id', secretAccessKey: 'secret' },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    scratchFolder: 'unused',
    answerWithinMs: 500,
  })
  await expect(store.read('a/silent')).rejects.toThrow(BlobStoreUnavailableError)
  await expect(store.stat('a/silent')).rejects.toThrow(BlobStoreUnavailableError)
  expect(await store.read('a/slow')).toEqual(Buffer.from('ab'))
})

/** Answers deletions only, and records them. */
const startDeletionServer = async (isTogetherSupported: boolean, failures = '') => {
  const together: { readonly keys: string[]; readonly hasMd5: boolean }[] = []
  const single: string[] = []
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      if (request.method === 'DELETE') {
        single.push(decodeURIComponent(request.url?.split('?')[0]?.split('/').slice(2).join('/') ?? ''))
        return response.writeHead(204).end()
      }
      if (!isTogetherSupported)
        return response.writeHead(501).end('<Error><Code>NotImplemented</Code><Message>no</Message></Error>')
      together.push({
        keys: [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key),
        hasMd5: request.headers['content-md5'] === createHash('md5').update(body).digest('base64'),
      })
      return response.writeHead(200).end(`<DeleteResult>${failures}</DeleteResult>`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store = createS3BlobStore({
    bucket: 'media',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'test',
    accessKeyId: 'test',
    secretAccessKey: 'test',
    prefix: 'zoetrope/',
    scratchFolder: path.join(os.tmpdir(), 'unused'),
  })
  return { store, together, single, stop: () => server.close().closeAllConnections() }
}

const names = Array.from({ length: 2_100 }, (_, index) => `a/${index}`)

it('deletes many blobs with one request for a thousand of them', async () => {
  const { store, together, single, stop } = await startDeletionServer(true)
  await store.deleteAll(names)
  stop()
  expect(together.map(({ keys, hasMd5 }) => [keys.length, hasMd5])).toEqual([
    [1_000, true],
    [1_000, true],
    [100, true],
  ])
  expect(together.flatMap(({ keys }) => keys)).toEqual(names.map((name) => `zoetrope/${name}`))
  expect(single).toEqual([])
})

it('rejects when the store could not delete one of many blobs, but not when it was missing', async () => {
  const failure = (code: string) =>
    `<Error><Key>zoetrope/a/1</Key><Code>${code}</Code><Message>no</Message></Error>`
  const missing = await startDeletionServer(true, failure('NoSuchKey'))
  await missing.store.deleteAll(names.slice(0, 3))
  missing.stop()
  const denied = await startDeletionServer(true, failure('NoSuchKey') + failure('AccessDenied'))
  await expect(denied.store.deleteAll(names.slice(0, 3))).rejects.toThrow('zoetrope/a/1')
  denied.stop()
  // The other blobs must not be tried one by one then.
  const busy = await startDeletionServer(true, failure('SlowDown'))
  await expect(busy.store.deleteAll(names.slice(0, 3))).rejects.toThrow(BlobStoreUnavailableError)
  busy.stop()
})

it('deletes blobs one by one where the store cannot delete many', async () => {
  const { store, single, stop } = await startDeletionServer(false)
  await store.deleteAll(names.slice(0, 50))
  stop()
  expect(single.sort()).toEqual(
    names
      .slice(0, 50)
      .map((name) => `zoetrope/${name}`)
      .sort(),
  )
})
