import { createHash, randomBytes } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { findFreePort } from '../../../../test/support/free-port.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { createGuardedAgent, type GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { startSourceServer, staticSource, type SourceServer } from '../test-support/source-server.ts'
import { createGiveUpPullHandler, createPullFileHandler } from './pull-file-handler.ts'
import type { PullLimits } from './request-source.ts'

let server: TestServer
let source: SourceServer
let agent: GuardedAgent
let hands: ReturnType<typeof createHands>
let projectId: number

const maxBytes = 6_000_000
const bytes = randomBytes(3_000_000)
const never = new AbortController().signal

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_UPLOAD_MAX_BYTES: String(maxBytes) } })
  hands = createHands(server)
  source = await startSourceServer()
  agent = createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true })
})

afterAll(async () => {
  await agent.close()
  await source.close()
  await server.stop()
})

beforeEach(async () => {
  projectId = await hands.newProject()
  source.requests.length = 0
})

/** Finished pulls, successful or not, must leave nothing in the staging folder. */
afterEach(async () => {
  const kept = await server.services.database.kysely
    .selectFrom('uploads')
    .select('staging_name')
    .where('completed_at', 'is', null)
    .execute()
  const names = new Set(kept.map(({ staging_name }) => staging_name))
  const left = (await server.services.stagings.disk.list()).filter(({ name }) => !names.has(name))
  expect(left).toEqual([])
})

const files = () => `/projects/${projectId}/files`
const post = (body: object) => server.call('POST', files(), { body })
const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

const create = async (SourceURI: string, body: object = {}): Promise<number> => {
  const answer = await post({ SourceURI, ...body })
  expect(answer.status).toBe(201)
  return answer.body.Id
}

const limits: PullLimits = {
  answerMs: 2_000,
  stallMs: 300,
  leastBytes: 1,
  slowMs: 60_000,
  totalMs: 60_000,
  retryDelaysMs: [1, 1, 1],
}

const handlerWith = (special: Partial<PullLimits> = {}, withAgent = agent) => {
  const { database, blobs, stagings, jobs, secrets } = server.services
  return createPullFileHandler({
    database,
    blobs,
    stagings,
    jobs,
    secrets: secrets.workers,
    publicUrl: server.url,
    agent: withAgent,
    maxSizeBytes: maxBytes,
    limits: { ...limits, ...special },
  })
}

const jobOf = async (fileId: number) => {
  const pull = await server.services.database.kysely
    .selectFrom('pulls')
    .innerJoin('media_files', 'media_files.id', 'pulls.file_id')
    .select(['pulls.id', 'pulls.account_id', 'pulls.attempt'])
    .where('file_id', '=', fileId)
    .where('media_files.state', '!=', 'failed')
    .executeTakeFirst()
  return pull === undefined
    ? null
    : { accountId: pull.account_id, projectId, fileId, pullId: pull.id, attempt: pull.attempt }
}

const pull = async (fileId: number, handler = handlerWith()): Promise<number> => {
  for (let attempts = 0; ; attempts += 1) {
    const job = await jobOf(fileId)
    if (job === null) return attempts
    expect(attempts).toBeLessThan(20)
    await handler(job, never)
  }
}

const uploadsOf = (fileId: number) =>
  server.services.database.kysely
    .selectFrom('uploads')
    .select('staging_name')
    .where('file_id', '=', fileId)
    .execute()

const get = async (fileId: number) => (await server.call('GET', `${files()}/${fileId}`)).body
const stored = (fileId: number, name = 'source') =>
  server.services.blobs.read(`a1/p${projectId}/f${fileId}/${name}`)

describe('a file with a SourceURI', () => {
  test('exists at once, shows its origin without secrets, and has no upload URL', async () => {
    const address = source.serve('/films/Über uns.mp4', staticSource({ bytes })).replace('://', '://me:pass@')
    const answer = await post({ SourceURI: `${encodeURI(address)}?signature=secret#t=5` })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${server.url}/v3${files()}/${answer.body.Id}`)
    expect(answer.body).toMatchObject({
      Status: 'created',
      EncodingProgress: 0,
      Source: { Kind: 'url', URI: encodeURI(`${source.url}/films/Über uns.mp4`) },
      Metadata: { OriginalFileName: 'Über uns.mp4', Title: 'Über uns' },
    })
    expect(answer.body).not.toHaveProperty('Upload')
    const rows = await server.services.database.kysely.selectFrom('pulls').selectAll().execute()
    expect(rows.map(({ sealed_uri }) => sealed_uri.toString('latin1')).join()).not.toMatch(/secret|pass/)
    await server.services.database.kysely.deleteFrom('pulls').execute()
  })

  test('gets the bytes, is processed like an upload, and drops the URL', async () => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes })))
    expect(await pull(id)).toBe(1)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
    const file = await get(id)
    expect(file).toMatchObject({ Status: 'created', Source: { Kind: 'url', URI: `${source.url}/a.mp4` } })
    expect(file.Timings.UploadedAt).not.toBeNull()
    expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(bytes.length)
    expect(await server.services.database.kysely.selectFrom('pulls').selectAll().execute()).toEqual([])
    await hands.process({ projectId, fileId: id })
    expect((await get(id)).Status).toBe('failed')
  })

  test('is requested with its credentials, which a redirect to another server does not get', async () => {
    const elsewhere = await startSourceServer()
    const target = elsewhere.serve('/b.mp4', staticSource({ bytes }))
    const address = source.serve('/a.mp4', (_request, response) => {
      response.writeHead(302, { Location: target }).end()
    })
    const id = await create(address.replace('://', '://me:p%40ss@'))
    await pull(id)
    expect(source.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    )
    expect(elsewhere.requests[0]?.headers.authorization).toBeUndefined()
    expect(sha256(await stored(id))).toBe(sha256(bytes))
    await elsewhere.close()
  })

  test('is named by the caller, else by the server, else by the URL; a title set by a user stays', async () => {
    const disposition = { 'Content-Disposition': `attachment; filename*=UTF-8''Sommer%20%F0%9F%8E%AC.mov` }
    const address = source.serve('/download', staticSource({ bytes, headers: disposition }))
    const [named, unnamed, titled] = [
      await create(address, { FileName: 'mine.mp4' }),
      await create(address),
      await create(address, { Metadata: { Title: 'Chosen' } }),
    ]
    for (const id of [named, unnamed, titled]) await pull(id)
    expect((await get(named)).Metadata).toMatchObject({ OriginalFileName: 'mine.mp4', Title: 'mine' })
    expect((await get(unnamed)).Metadata).toMatchObject({
      OriginalFileName: 'Sommer 🎬.mov',
      Title: 'Sommer 🎬',
    })
    expect((await get(titled)).Metadata).toMatchObject({ OriginalFileName: 'Sommer 🎬.mov', Title: 'Chosen' })
    const bare = await create(`${source.url}/`)
    expect((await get(bare)).Metadata.OriginalFileName).toBe('untitled')
    await pull(bare)
  })

  test.each([
    'example.com/a.mp4',
    '/a.mp4',
    'ftp://example.com/a.mp4',
    'file:///etc/passwd',
    'data:video/mp4;base64,AAAA',
    'http://10.0.0.1/a.mp4',
    'http://169.254.169.254/latest/meta-data/',
    'https://[::1]/a.mp4',
    'http://me:pass@192.168.0.1/',
    'not a URL',
    '',
    5,
    `https://example.com/${'a'.repeat(4_100)}`,
  ])('that cannot be fetched answers 400 and names the field: %s', async (SourceURI) => {
    const answer = await post({ SourceURI })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe('SourceURI')
    expect(answer.body.error.message).not.toContain('webhook')
  })

  test('that is null counts as absent: the file then needs a name', async () => {
    const answer = await post({ SourceURI: null })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe('FileName')
    expect((await post({ SourceURI: null, FileName: 'a.mp4' })).body).toHaveProperty('Upload')
  })

  test('larger than allowed, or than the quota, answers 413 where the size is known', async () => {
    const SourceURI = source.serve('/a.mp4', staticSource({ bytes }))
    expectProblem(await post({ SourceURI, FileSize: maxBytes + 1 }), 'too_large')
    await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: 1_000 } })
    expectProblem(await post({ SourceURI, FileSize: 1_001 }), 'quota_exceeded')
  })
})

describe('a connection that breaks', () => {
  test('is resumed where it broke, any number of times', async () => {
    const cuts = [700_000, 800_000, 900_000]
    const id = await create(source.serve('/a.mp4', staticSource({ bytes, cuts })))
    expect(await pull(id)).toBe(4)
    expect(source.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=700000-',
      'bytes=1500000-',
      'bytes=2400000-',
    ])
    expect(source.requests.at(-1)?.headers['if-range']).toBe('"v1"')
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('is resumed by date without a strong tag', async () => {
    const lastModified = 'Sun, 01 Mar 2026 12:00:00 GMT'
    const address = source.serve(
      '/a.mp4',
      staticSource({
        bytes,
        validator: lastModified,
        cuts: [500_000],
        headers: { ETag: 'W/"weak"', 'Last-Modified': lastModified },
      }),
    )
    const id = await create(address)
    expect(await pull(id)).toBe(2)
    expect(source.requests[1]?.headers['if-range']).toBe(lastModified)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test.each([
    ['a server without ranges', { takesRanges: false }],
    ['a server without a validator', { etag: null }],
  ])('restarts with %s', async (_what, options) => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes, cuts: [900_000], ...options })))
    expect(await pull(id)).toBe(2)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('restarts when the source has changed, and never mixes the versions', async () => {
    const other = randomBytes(2_000_000)
    const address = source.serve('/a.mp4', staticSource({ bytes, cuts: [900_000] }))
    const id = await create(address)
    const job = await jobOf(id)
    await handlerWith()(job as NonNullable<typeof job>, never)
    source.serve('/a.mp4', staticSource({ bytes: other, etag: '"v2"' }))
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(other))
  })

  test('restarts when the received bytes are not of the current source (416)', async () => {
    const short = randomBytes(500_000)
    const id = await create(source.serve('/a.mp4', staticSource({ bytes, cuts: [900_000] })))
    const job = await jobOf(id)
    await handlerWith()(job as NonNullable<typeof job>, never)
    source.serve('/a.mp4', staticSource({ bytes: short }))
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(short))
  })

  test('is resumed also for a source of unknown length', async () => {
    const part = bytes.subarray(0, 1_000_000)
    const address = source.serve('/a.mp4', (request, response) => {
      if (request.headers.range !== undefined) {
        staticSource({ bytes: part })(request, response)
        return
      }
      response.writeHead(200, { ETag: '"v1"' })
      response.write(part.subarray(0, 400_000), () => response.destroy())
    })
    const id = await create(address)
    expect(await pull(id)).toBe(2)
    expect(sha256(await stored(id))).toBe(sha256(part))
  })

  test.each([
    ['tag', { ETag: '"v1"' }, { ETag: '"v2"' }],
    [
      'date',
      { 'Last-Modified': 'Sun, 01 Mar 2026 12:00:00 GMT' },
      { 'Last-Modified': 'Mon, 02 Mar 2026 12:00:00 GMT' },
    ],
  ])('never mixes two versions when the server ignores If-Range: by %s', async (_by, before, after) => {
    const other = randomBytes(bytes.length)
    let isFirst = true
    const address = source.serve('/a.mp4', (request, response) => {
      const [bytesNow, tag] = isFirst ? [bytes, before] : [other, after]
      const cuts = isFirst ? [900_000] : []
      isFirst = false
      const validator = request.headers['if-range'] as string
      staticSource({ bytes: bytesNow, etag: null, validator, headers: tag, cuts })(request, response)
    })
    const id = await create(address)
    await pull(id)
    expect(source.requests[1]?.headers.range).toBe('bytes=900000-')
    expect(sha256(await stored(id))).toBe(sha256(other))
  })

  test('is resumed any number of times with a server that sends its version and length only at first', async () => {
    const lastModified = 'Sun, 01 Mar 2026 12:00:00 GMT'
    const cuts = [700_000, 800_000]
    const address = source.serve('/a.mp4', (request, response) => {
      const first = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const end = Math.min(bytes.length, first + (cuts.shift() ?? bytes.length))
      if (first === 0)
        response.writeHead(200, { 'Last-Modified': lastModified, 'Content-Length': bytes.length })
      else response.writeHead(206, { 'Content-Range': `bytes ${first}-${end - 1}/*` })
      response.write(bytes.subarray(first, end), () => (first === 0 ? response.destroy() : response.end()))
    })
    const id = await create(address)
    expect(await pull(id)).toBe(3)
    expect(source.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=700000-',
      'bytes=1500000-',
    ])
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('by silence alone times out, and is resumed', async () => {
    let isFirst = true
    const good = staticSource({ bytes })
    const address = source.serve('/a.mp4', (request, response) => {
      if (!isFirst) return good(request, response)
      isFirst = false
      response.writeHead(200, { ETag: '"v1"', 'Content-Length': bytes.length })
      response.write(bytes.subarray(0, 100_000))
    })
    const id = await create(address)
    expect(await pull(id)).toBe(2)
    expect(source.requests[1]?.headers.range).toBe('bytes=100000-')
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })
})

test('a pull that is given up leaves no staged bytes, even if they cannot be removed at once', async () => {
  const { database, stagings } = server.services
  const broken = { ...stagings.disk, remove: () => Promise.reject(new Error('killed')) }
  for (const disk of [stagings.disk, broken]) {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes, cuts: [1_000_000] })))
    await handlerWith()((await jobOf(id))!, never)
    const [upload] = await uploadsOf(id)
    const name = upload!.staging_name
    expect(await stagings.disk.sizeOf(name)).toBeGreaterThan(0)
    const giveUp = createGiveUpPullHandler({
      database,
      publicUrl: server.url,
      stagings: { ...stagings, disk },
    })
    const error: unknown = await giveUp((await jobOf(id))!).catch((thrown: unknown) => thrown)
    expect(error).toEqual(disk === broken ? new Error('killed') : undefined)
    expect(await get(id)).toMatchObject({ Status: 'failed' })
    if (disk === broken) {
      const dayAgo = new Date(Date.now() - 25 * 3_600_000)
      await utimes(stagings.disk.path(name), dayAgo, dayAgo)
      await hands.housekeeping()
    }
    expect(await stagings.disk.sizeOf(name)).toBeNull()
    // A retry starts from the first byte.
    await server.call('POST', `${files()}/${id}/retry`)
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  }
})

test('a source that sends too little holds a place of other pulls only for some attempts', async () => {
  const address = source.serve('/drip.mp4', (_request, response) => {
    response.writeHead(200, { ETag: '"v1"', 'Content-Length': bytes.length })
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const id = await create(address)
  const runs = await pull(id, handlerWith({ leastBytes: 1_000, slowMs: 200 }))
  expect(runs).toBe(limits.retryDelaysMs.length + 1)
  const file = await get(id)
  expect(file).toMatchObject({ Status: 'failed', ErrorReason: 'pull_tried_repeatedly' })
  expect(file.ErrorMessage).toMatch(/less than 1000 bytes in 0\.2 seconds/)
})

test('an unreachable source shows the error and the time of the next attempt until bytes arrive', async () => {
  const { port } = new URL(source.url)
  const closedPort = await findFreePort()
  const address = source.serve('/soon.mp4', staticSource({ bytes }))
  const id = await create(address.replace(`:${port}`, `:${closedPort}`))
  const job = await jobOf(id)
  await handlerWith({ retryDelaysMs: [15_000, 15_000] })(job!, never)
  const waiting = await get(id)
  expect(waiting).toMatchObject({ Status: 'created', HasErrors: false, IsFinished: false })
  expect(waiting.ErrorMessage).toMatch(
    /refused the connection on port \d+\. The next attempt is at 20\d\d-.+\+00:00\.$/,
  )
  expect(waiting).toMatchObject({
    ErrorReason: 'pull_retried_later',
    ErrorParams: { cause: { reason: 'connection_refused', params: { port: closedPort } } },
  })
  expect(await hands.eventsOf(id)).toEqual(['file.created'])

  const { kysely } = server.services.database
  const sealed_uri = server.services.secrets.workers.seal(Buffer.from(address))
  await kysely.updateTable('pulls').set({ sealed_uri }).where('file_id', '=', id).execute()
  await handlerWith({ stallMs: 10_000 })((await jobOf(id))!, never)
  expect(await get(id)).toMatchObject({
    Status: 'created',
    HasErrors: false,
    ErrorMessage: null,
    ErrorReason: null,
  })
  expect(sha256(await stored(id))).toBe(sha256(bytes))
})

describe('a failing source fails the file with a message and an event after', () => {
  const expectFailed = async (id: number, message: RegExp): Promise<void> => {
    const file = await get(id)
    expect(file).toMatchObject({ Status: 'failed', IsFinished: true, HasErrors: true, IsEncoded: false })
    expect(file.ErrorMessage).toMatch(message)
    expect(file.ErrorMessage).toMatch(/^\S.{10,400}\.$/)
    expect(await hands.eventsOf(id)).toEqual(['file.created', 'file.failed'])
    await expect(stored(id)).rejects.toThrow('There is no blob')
  }

  test.each([
    [404, /answered 404: there is nothing/],
    [410, /answered 410: there is nothing/],
    [403, /answered 403: the URL may not be read/],
    [204, /answered 204 instead of the file/],
    [304, /answered 304 instead of the file/],
  ])('status %i, at once', async (status, message) => {
    const id = await create(
      source.serve('/a.mp4', (_request, response) => {
        response.writeHead(status).end()
      }),
    )
    expect(await pull(id)).toBe(1)
    await expectFailed(id, message)
  })

  test.each([500, 503, 429, 408])('status %i, after some attempts', async (status) => {
    const id = await create(
      source.serve('/a.mp4', (_request, response) => {
        response.writeHead(status).end()
      }),
    )
    expect(await pull(id)).toBe(4)
    await expectFailed(id, new RegExp(`answered ${status}\\. It was tried 4 times\\.`))
  })

  test('errors that outlast all attempts, unlike a temporary one', async () => {
    let tries = 0
    const good = staticSource({ bytes })
    const id = await create(
      source.serve('/a.mp4', (request, response) => {
        tries += 1
        if (tries < 3) response.writeHead(503).end()
        else good(request, response)
      }),
    )
    expect(await pull(id)).toBe(3)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('an address without a server', async () => {
    const gone = await startSourceServer()
    await gone.close()
    const id = await create(`${gone.url}/a.mp4`)
    expect(await pull(id)).toBe(4)
    await expectFailed(id, /refused the connection/)
  })

  test('a server that never answers', async () => {
    const id = await create(source.serve('/a.mp4', () => {}))
    await pull(id, handlerWith({ answerMs: 100, retryDelaysMs: [1] }))
    await expectFailed(id, /did not respond in time/)
  })

  test('a transfer longer than the time limit, however steady it is', async () => {
    const id = await create(
      source.serve('/a.mp4', (_request, response) => {
        response.writeHead(200, { ETag: '"v1"', 'Content-Length': bytes.length })
        const drip = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(drip))
      }),
    )
    await pull(id, handlerWith({ totalMs: 300 }))
    await expectFailed(id, /did not arrive within/)
  })

  test.each([
    ['announced', { 'Content-Length': String(maxBytes + 1) }],
    ['endless', {}],
  ])('more bytes than the maximum of a file: %s', async (_what, headers) => {
    const chunk = Buffer.alloc(65_536)
    const id = await create(
      source.serve('/a.mp4', (_request, response) => {
        response.writeHead(200, headers)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', more)
        more()
      }),
    )
    expect(await pull(id)).toBe(1)
    await expectFailed(id, /6000000 bytes/)
  })

  test('more bytes than the quota of the project, announced or not', async () => {
    await server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: 1_000_000 } })
    const withLength = await create(source.serve('/a.mp4', staticSource({ bytes })))
    expect(await pull(withLength)).toBe(1)
    await expectFailed(withLength, /quota of project/)
    const withoutLength = await create(
      source.serve('/b.mp4', (_request, response) => {
        response.write(bytes)
        response.end()
      }),
    )
    expect(await pull(withoutLength)).toBe(1)
    await expectFailed(withoutLength, /quota of project/)
  })

  test('an empty response', async () => {
    const withLength = await create(source.serve('/a.mp4', staticSource({ bytes: Buffer.alloc(0) })))
    const withoutLength = await create(
      source.serve('/b.mp4', (_request, response) => {
        response.write('')
        response.end()
      }),
    )
    for (const id of [withLength, withoutLength]) {
      await pull(id)
      await expectFailed(id, /empty/)
    }
  })

  test('another size than FileSize, and another checksum', async () => {
    const address = source.serve('/a.mp4', staticSource({ bytes }))
    const size = await create(address, { FileSize: 5 })
    expect(await pull(size)).toBe(1)
    await expectFailed(size, /has 3000000 bytes, but FileSize said 5/)
    const short = await create(
      source.serve('/b.mp4', (_request, response) => {
        response.write('abc')
        response.end()
      }),
      { FileSize: 5 },
    )
    await pull(short)
    await expectFailed(short, /ended after 3 of 5 bytes/)
    const long = await create(
      source.serve('/c.mp4', (_request, response) => {
        response.write('abcdef')
        response.end()
      }),
      { FileSize: 5 },
    )
    await pull(long)
    await expectFailed(long, /more than the 5 bytes that were announced/)
    const checksum = await create(address, { Checksum: '0'.repeat(64) })
    expect(await pull(checksum)).toBe(1)
    await expectFailed(checksum, /checksum sha256:/)
    const right = await create(address, { Checksum: sha256(bytes), FileSize: bytes.length })
    await pull(right)
    expect((await get(right)).Checksum).toBe(`sha256:${sha256(bytes)}`)
  })

  test('more than three redirects; three are followed', async () => {
    const good = source.serve('/end', staticSource({ bytes }))
    const redirect = (from: string, to: string): string =>
      source.serve(from, (_request, response) => {
        response.writeHead(307, { Location: to }).end()
      })
    redirect('/3', good)
    redirect('/2', '/3')
    redirect('/1', '2')
    redirect('/0', '/1')
    const [three, four] = [await create(`${source.url}/1`), await create(`${source.url}/0`)]
    await pull(three)
    expect(sha256(await stored(three))).toBe(sha256(bytes))
    expect(await pull(four)).toBe(1)
    await expectFailed(four, /redirects more than 3 times/)
  })

  test.each([
    'http://10.0.0.1/a.mp4',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706433.example.invalid@10.0.0.1/',
    'file:///etc/passwd',
    'ftp://example.com/',
  ])('a redirect into a private network or another protocol: %s', async (target) => {
    const id = await create(
      source.serve('/a.mp4', (_request, response) => {
        response.writeHead(302, { Location: target }).end()
      }),
    )
    expect(await pull(id)).toBe(1)
    await expectFailed(id, /The URL (must begin|has the address)/)
  })

  test('a name that leads into a private network', async () => {
    const rebinding = createGuardedAgent({
      allowCidrs: [],
      isHttpAllowed: true,
      resolve: async () => ['127.0.0.1'],
    })
    const id = await create('http://media.example/a.mp4')
    expect(await pull(id, handlerWith({}, rebinding))).toBe(1)
    await expectFailed(id, /media\.example has an address that is not on the public internet/)
    await rebinding.close()
  })

  test('a worker that died in every attempt', async () => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes })))
    const job = await jobOf(id)
    const { database, stagings } = server.services
    const giveUp = createGiveUpPullHandler({ database, publicUrl: server.url, stagings })
    await giveUp(job as NonNullable<typeof job>)
    await giveUp(job as NonNullable<typeof job>)
    await expectFailed(id, /even after many attempts/)
  })
})

test('compressed bytes are stored as received', async () => {
  const packed = gzipSync(Buffer.alloc(100_000, 'a'))
  const id = await create(
    source.serve('/a.mp4', staticSource({ bytes: packed, headers: { 'Content-Encoding': 'gzip' } })),
  )
  await pull(id)
  expect(source.requests[0]?.headers['accept-encoding']).toBe('identity')
  expect(await stored(id)).toEqual(packed)
})

describe('after a pull', () => {
  test('retry fetches a failed source again', async () => {
    const id = await create(`${source.url}/later.mp4`)
    await pull(id)
    expect((await get(id)).Status).toBe('failed')
    source.serve('/later.mp4', staticSource({ bytes }))
    const retried = await server.call('POST', `${files()}/${id}/retry`)
    expect(retried).toMatchObject({
      status: 200,
      body: { Status: 'created', HasErrors: false, ErrorMessage: null },
    })
    expectProblem(await server.call('POST', `${files()}/${id}/retry`), 'conflict')
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('an upload or another URL can replace a failed source', async () => {
    const [first, second] = [await create(`${source.url}/no.mp4`), await create(`${source.url}/no.mp4`)]
    for (const id of [first, second]) await pull(id)
    const uploaded = await server.call('PUT', `${files()}/${first}/replace`, { body: { FileName: 'b.mp4' } })
    expect(uploaded.body).toMatchObject({ Status: 'created', Source: { Kind: 'upload', URI: null } })
    await fetch(uploaded.body.Upload.URI, { method: 'PUT', body: bytes })
    expect(sha256(await stored(first, (await hands.rowOf(first)).source_blob?.split('/').at(-1)))).toBe(
      sha256(bytes),
    )
    expect((await get(first)).Source).toEqual({ Kind: 'upload', URI: null })
    const SourceURI = source.serve('/yes.mp4', staticSource({ bytes }))
    const pulled = await server.call('PUT', `${files()}/${second}/replace`, { body: { SourceURI } })
    expect(pulled).toMatchObject({
      status: 200,
      body: { Status: 'created', Source: { Kind: 'url', URI: SourceURI } },
    })
    await pull(second)
    expect(sha256(await stored(second, (await hands.rowOf(second)).source_blob?.split('/').at(-1)))).toBe(
      sha256(bytes),
    )
  })

  test('a file deleted while it is fetched stays deleted, and is fetched after a restore', async () => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes, cuts: [1_500_000] })))
    const job = await jobOf(id)
    await handlerWith()(job as NonNullable<typeof job>, never)
    await server.call('DELETE', `${files()}/${id}`)
    const next = await jobOf(id)
    await handlerWith()(next as NonNullable<typeof next>, never)
    expect(source.requests.length).toBe(1)
    expect((await server.call('POST', `${files()}/${id}/restore`)).status).toBe(200)
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('a restored project resumes its pulls', async () => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes, cuts: [1_500_000] })))
    const job = await jobOf(id)
    await handlerWith()(job as NonNullable<typeof job>, never)
    await server.call('DELETE', `/projects/${projectId}?cascade=true`)
    const next = await jobOf(id)
    await handlerWith()(next as NonNullable<typeof next>, never)
    expect(source.requests.length).toBe(1)
    expect((await server.call('POST', `/projects/${projectId}/restore`)).status).toBe(200)
    await hands.projectFiles(projectId)
    expect((await jobOf(id))?.attempt).toBeGreaterThan(next?.attempt ?? 0)
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('a run interrupted between the takeover and its end leaves no URL behind', async () => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes })))
    const job = await jobOf(id)
    if (job === null) throw new Error('no job')
    const { kysely } = server.services.database
    const before = await kysely
      .selectFrom('pulls')
      .selectAll()
      .where('id', '=', job.pullId)
      .executeTakeFirstOrThrow()
    await handlerWith()(job, never)
    const { id: _id, ...again } = before
    const { id: pullId } = await kysely
      .insertInto('pulls')
      .values(again)
      .returning('id')
      .executeTakeFirstOrThrow()
    await handlerWith()({ ...job, pullId }, never)
    expect(await jobOf(id)).toBeNull()
    expect(sha256(await stored(id))).toBe(sha256(bytes))
  })

  test('a deletion closes the open connection', async () => {
    const opened = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const id = await create(
      source.serve('/a.mp4', (_request, response) => {
        opened.resolve()
        response.writeHead(200, { ETag: '"v1"', 'Content-Length': bytes.length })
        const drip = setInterval(() => response.write('x'), 50)
        response.on('close', () => {
          clearInterval(drip)
          closed.resolve()
        })
      }),
    )
    const job = await jobOf(id)
    const running = handlerWith()(job as NonNullable<typeof job>, never)
    await opened.promise
    await server.call('DELETE', `${files()}/${id}`)
    await Promise.all([running, closed.promise])
    expect(await hands.eventsOf(id)).toEqual(['file.created', 'file.deleted'])
  })

  test('the later of two runs of one attempt delivers the bytes', async () => {
    const id = await create(source.serve('/a.mp4', staticSource({ bytes })))
    const job = await jobOf(id)
    if (job === null) throw new Error('no job')
    const runs = await Promise.allSettled([handlerWith()(job, never), handlerWith()(job, never)])
    // A run may find that the other one has moved the bytes. The queue then repeats it, which has nothing left to do.
    expect(runs.some(({ status }) => status === 'fulfilled')).toBe(true)
    await pull(id)
    expect(sha256(await stored(id))).toBe(sha256(bytes))
    expect((await server.call('GET', `/projects/${projectId}`)).body.StorageBytes).toBe(bytes.length)
  })
})

describe('replacing a playable file', () => {
  const playing = async (): Promise<number> => {
    const ids = await hands.upload(projectId, await hands.smallSample())
    await hands.finish(ids)
    expect((await get(ids.fileId)).Status).toBe('finished')
    return ids.fileId
  }

  test('by a URL: it stays playable until the new source is encoded, which then shows its origin', async () => {
    const id = await playing()
    const SourceURI = source.serve('/new.mp4', staticSource({ bytes: await hands.sample() }))
    const answer = await server.call('PUT', `${files()}/${id}/replace`, { body: { SourceURI } })
    expect(answer).toMatchObject({ status: 200, body: { Status: 'finished', Source: { Kind: 'upload' } } })
    expect(answer.body).not.toHaveProperty('Upload')
    await pull(id)
    expect((await get(id)).Status).toBe('playable')
    await hands.finish({ projectId, fileId: id })
    expect(await get(id)).toMatchObject({
      Status: 'finished',
      Source: { Kind: 'url', URI: SourceURI },
      Metadata: { OriginalFileName: 'new.mp4' },
    })
  })

  test('by a URL: the new source is named by the server', async () => {
    const id = await playing()
    const disposition = { 'Content-Disposition': 'attachment; filename="summer.mp4"' }
    const SourceURI = source.serve(
      '/download-new',
      staticSource({ bytes: await hands.sample(), headers: disposition }),
    )
    await server.call('PUT', `${files()}/${id}/replace`, { body: { SourceURI } })
    await pull(id)
    await hands.finish({ projectId, fileId: id })
    expect((await get(id)).Metadata.OriginalFileName).toBe('summer.mp4')
  })

  test('by a URL that cannot be fetched: it stays playable, degraded, and shows the error', async () => {
    const id = await playing()
    await server.call('PUT', `${files()}/${id}/replace`, { body: { SourceURI: `${source.url}/no.mp4` } })
    await pull(id)
    const file = await get(id)
    expect(file).toMatchObject({ Status: 'degraded', IsPlayable: true, HasErrors: true })
    expect(file.ErrorMessage).toMatch(
      /^The new source could not be fetched and the file plays as before: .*404/,
    )
    expect(await jobOf(id)).toBeNull()
  })
})
