import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { openConnection } from '../../platform/db/driver/connection.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { protectRoutes, type Authenticate } from '../../platform/http/requests/authenticate.ts'
import { createLog } from '../../platform/log/log.ts'
import { registerEventStreamRoutes } from './event-stream-routes.ts'
import { createEventWorld, type EventWorld } from './test-support/event-world.ts'
import { readStream, type OpenStream } from './test-support/read-stream.ts'

let world: EventWorld
const streams: OpenStream[] = []

beforeAll(async () => {
  world = await createEventWorld()
})

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

afterAll(() => world.server.stop())

const follow = async (
  query = '',
  options: { apiKey?: string; lastEventId?: number | string; url?: string } = {},
): Promise<OpenStream> => {
  const { apiKey = world.server.apiKey, url = world.server.url, ...rest } = options
  const stream = await readStream(`${url}/v3/events/stream${query}`, { apiKey, ...rest })
  streams.push(stream)
  return stream
}

const nextIds = async (stream: OpenStream, count: number): Promise<number[]> => {
  const ids: number[] = []
  while (ids.length < count) ids.push((await stream.next()).id)
  return ids
}

const emitMany = async (count: number, record?: object): Promise<number[]> => {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1)
    ids.push(await world.emitEvent(record === undefined ? {} : { record }))
  return ids
}

const largeRecord = { Id: 1, Description: 'x'.repeat(100_000) }

const principal = {
  accountId: 1,
  userId: 1,
  apiKeyId: null,
  sessionId: null,
  projectIds: null,
  can: () => true,
  canGrant: () => true,
}

const startApp = async (options: { heartbeatMs: number; maxStreamsPerAddress: number }) => {
  const log = createLog({ level: 'silent' })
  const app = await createHttpServer({ log, publicUrl: 'http://localhost' })
  const authenticate = (async () => principal) as unknown as Authenticate
  await app.register(
    async (api) => {
      protectRoutes(api, authenticate)
      registerEventStreamRoutes(api, {
        database: world.server.services.database,
        log,
        authenticate,
        ...options,
      })
    },
    { prefix: '/v3' },
  )
  const connectionCount = () =>
    new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
    })
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }), connectionCount }
}

describe('an event stream', () => {
  test('sends new events as the list shows them', async () => {
    await world.emitEvent()
    const stream = await follow()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    const id = await world.emitEvent()
    const message = await stream.next()
    expect(message).toMatchObject({ id, event: 'project.updated' })
    expect(message.data).toEqual((await world.server.call('GET', `/events/${id}`)).body)
  })

  test('delivers the events of each account to its own streams', async () => {
    const stranger = await world.server.newKey({ inNewAccount: true })
    const [theirs, ours] = [await follow('', { apiKey: stranger }), await follow()]
    const id = await world.emitEvent()
    const { body } = await world.server.call('POST', '/projects', {
      apiKey: stranger,
      body: { Name: 'Theirs' },
    })
    expect((await ours.next()).id).toBe(id)
    expect((await theirs.next()).data).toMatchObject({ Project: { Id: body.Id } })
  })

  test('continues after Last-Event-ID with missed and then new events, without gaps or repeats', async () => {
    const start = await world.emitEvent()
    const missed = await emitMany(250)
    const stream = await follow('', { lastEventId: start })
    const live = await emitMany(5)
    expect(await nextIds(stream, 255)).toEqual([...missed, ...live])
  })

  test('starts after the event in the query, which Last-Event-ID overrides', async () => {
    const start = await world.emitEvent()
    const [first = 0, second = 0] = await emitMany(2)
    expect(await nextIds(await follow(`?after=${start}`), 2)).toEqual([first, second])
    expect(await nextIds(await follow(`?after=${start}`, { lastEventId: first }), 1)).toEqual([second])
    expect(await nextIds(await follow(`?after=${start}`, { lastEventId: '' }), 1)).toEqual([first])
    const [oldest = 0] = await nextIds(await follow('?after=0'), 1)
    expect(oldest).toBeLessThan(start)
  })

  test('repeats no event to a reader that joins while others follow', async () => {
    const first = await follow()
    const start = await world.emitEvent()
    await first.next()
    for (let round = 0; round < 8; round += 1) {
      const missed = await world.emitEvent()
      const late = await follow('', { lastEventId: missed - 1 })
      expect((await late.next()).id).toBe(missed)
      // The late reader now receives the same events as the others.
      expect((await first.next()).id).toBe(missed)
      const live = await world.emitEvent()
      expect((await late.next()).id).toBe(live)
      expect((await first.next()).id).toBe(live)
      expect(missed).toBeGreaterThan(start)
      late.close()
    }
  })

  test('loses no event under slow concurrent writes and reconnecting readers', async () => {
    const start = await world.emitEvent()
    const written: number[] = []
    const write = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        const slow = await world.begin()
        written.push(await world.emitIn(slow.tx))
        written.push(await world.emitEvent())
        await slow.commit()
      }
    }
    const writing = Promise.all([write(), write()])
    let position = start
    const read: number[] = []
    while (read.length < 80) {
      const stream = await follow('', { lastEventId: position })
      const ids = await nextIds(stream, Math.min(20, 80 - read.length))
      stream.close()
      read.push(...ids)
      position = ids.at(-1) ?? position
    }
    await writing
    expect(read).toEqual(written.sort((a, b) => a - b))
  })

  test('continues after many large events that become visible at once', async () => {
    const stream = await follow()
    const first = await world.emitEvent()
    expect((await stream.next()).id).toBe(first)
    const cascade = await world.begin()
    const ids: number[] = []
    for (let index = 0; index < 150; index += 1)
      ids.push(await world.emitIn(cascade.tx, { record: largeRecord }))
    await cascade.commit()
    const last = await world.emitEvent()
    expect(await nextIds(stream, ids.length + 1)).toEqual([...ids, last])
    const live = await world.emitEvent()
    expect((await stream.next()).id).toBe(live)
  })

  test('filters like the list', async () => {
    const other = (await world.server.call('POST', '/projects', { body: { Name: 'Other' } })).body.Id
    const byName = await follow('?event=playlist.*')
    const byProject = await follow(`?projectId=${other}`)
    const byFile = await follow('?fileId=71,72&event=file.new')
    await world.emitEvent({ fileId: 71 })
    const playlist = await world.emitEvent({ name: 'playlist.new', subject: 'Playlist', projectId: null })
    const file = await world.emitEvent({ name: 'file.new', subject: 'File', fileId: 72 })
    const ofOther = await world.emitEvent({ projectId: other })
    expect((await byName.next()).id).toBe(playlist)
    expect((await byFile.next()).id).toBe(file)
    expect((await byProject.next()).id).toBe(ofOther)
  })

  test('shows each API key the events that the list shows it, live and past', async () => {
    const other = (await world.server.call('POST', '/projects', { body: { Name: 'Other' } })).body.Id
    const keys = {
      restricted: await world.server.newKey({ projectIds: [other] }),
      reader: await world.server.newKey({ role: 'Reader' }),
      stranger: await world.server.newKey({ inNewAccount: true }),
    }
    const start = await world.emitEvent()
    const write = async () => ({
      ping: await world.emitEvent({ name: 'webhook.ping', subject: 'Webhook' }),
      own: await world.emitEvent(),
      others: await world.emitEvent({ projectId: other }),
    })
    const past = await write()
    const restricted = await follow(`?after=${start}`, { apiKey: keys.restricted })
    const reader = await follow(`?after=${start}`, { apiKey: keys.reader })
    const stranger = await follow('?after=0', { apiKey: keys.stranger })
    expect((await restricted.next()).id).toBe(past.others)
    expect(await nextIds(reader, 2)).toEqual([past.own, past.others])
    const live = await write()
    expect((await restricted.next()).id).toBe(live.others)
    expect(await nextIds(reader, 2)).toEqual([live.own, live.others])
    const mine = await world.server.call('POST', '/projects', { body: { Name: 'A' }, apiKey: keys.stranger })
    expect((await stranger.next()).data.Project.Id).toBe(mine.body.Id)
  })
})

describe('an event stream is refused', () => {
  test.each([
    ['?after=abc', 'after'],
    ['?after=99999999', 'after'],
    ['?event=nonsense', 'event'],
    ['?projectId=0', 'projectId'],
  ])('with 400 for %s', async (query, field) => {
    const answer = await world.server.call('GET', `/events/stream${query}`)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe(field)
  })

  test.each(['abc', '-1', '99999999'])('with 400 for Last-Event-ID %s', async (value) => {
    expectProblem(
      await world.server.call('GET', '/events/stream', { headers: { 'Last-Event-ID': value } }),
      'invalid',
    )
  })

  test('with 401 without an API key and 403 without permission', async () => {
    expectProblem(await world.server.call('GET', '/events/stream', { apiKey: null }), 'unauthorized')
    const apiKey = await world.server.newKey({ scopes: ['files:*'] })
    expectProblem(await world.server.call('GET', '/events/stream', { apiKey }), 'forbidden')
  })

  test('with 429 as the 21st stream of a key, until another one is closed', async () => {
    const apiKey = await world.server.newKey()
    const open = await Promise.all(Array.from({ length: 20 }, () => follow('', { apiKey })))
    expect(open.every(({ status }) => status === 200)).toBe(true)
    const refused = await world.server.call('GET', '/events/stream', { apiKey })
    expectProblem(refused, 'rate_limited')
    expect(refused.headers.get('retry-after')).toBe('10')
    expect((await follow()).status).toBe(200)
    open[0]?.close()
    let again = await follow('', { apiKey })
    while (again.status === 429) again = await follow('', { apiKey })
    expect(again.status).toBe(200)
  })
})

test('HEAD on the event stream returns headers only', async () => {
  const { status, headers, body } = await world.server.call('HEAD', '/events/stream')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(body).toBe('')
})

describe('an event stream ends', () => {
  test('within 4 s after its API key is revoked', async () => {
    const { body: key } = await world.server.call('POST', '/apikeys', { body: { Label: 'Short-lived' } })
    const stream = await follow('', { apiKey: key.Token })
    expect(stream.status).toBe(200)
    const before = performance.now()
    expect((await world.server.call('DELETE', `/apikeys/${key.Id}`)).status).toBe(200)
    expect(await stream.ended).toBe('in order')
    expect(performance.now() - before).toBeLessThan(4_000)
  })

  test('when the permissions of its user change', async () => {
    const apiKey = await world.server.newKey({ role: 'Administrator' })
    const stream = await follow('', { apiKey })
    const { kysely } = world.server.services.database
    const { id } = await kysely
      .selectFrom('users')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    await kysely.updateTable('users').set({ role: 'Reader' }).where('id', '=', id).execute()
    expect(await stream.ended).toBe('in order')
    expect((await follow('', { apiKey })).status).toBe(200)
  })

  test('when its reader takes nothing, and a reconnect loses nothing', async () => {
    const { app, url, connectionCount } = await startApp({ heartbeatMs: 100, maxStreamsPerAddress: 0 })
    const stream = await follow('', { url, apiKey: 'any' })
    const first = await world.emitEvent()
    expect((await stream.next()).id).toBe(first)
    stream.pause()
    // More than the socket buffers of both ends hold.
    const ids = await emitMany(150, largeRecord)
    await waitFor(connectionCount, (count) => count === 0)
    stream.resume()
    expect(await stream.ended).toBe('cut off')
    const again = await follow('', { lastEventId: first })
    expect(await nextIds(again, ids.length)).toEqual(ids)
    await app.close()
  })

  test('at once when the server stops, which does not wait for it', async () => {
    const other = await createEventWorld()
    const apiKey = other.server.apiKey
    const stream = await follow('', { url: other.server.url, apiKey })
    const behind = await follow('?after=0', { url: other.server.url, apiKey })
    expect(stream.status).toBe(200)
    const before = performance.now()
    await other.server.stop()
    expect(performance.now() - before).toBeLessThan(8_000)
    expect(await stream.ended).toBe('in order')
    await behind.ended
  })
})

test('a stream requested while the server stops is refused with 503', async () => {
  const other = await createEventWorld()
  const { connection } = other.server.services.database
  const { apiKey, url } = other.server
  const [holder, administrator] = [await openConnection(connection), await openConnection(connection)]
  const open = await follow('', { url, apiKey })
  // Renaming the sequence blocks every read of the log horizon.
  await holder.query('begin; alter sequence events_id_seq rename to held')
  const waiting = follow('', { url, apiKey })
  const isWaiting = () =>
    administrator.rows(`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%event_log_horizon%'`)
  await waitFor(isWaiting, (rows) => rows.length > 1)
  const stopped = other.server.stop()
  expect(await open.ended).toBe('in order')
  await holder.rollback()
  const { status, headers } = await waiting
  expect(status).toBe(503)
  expect(headers['retry-after']).toBe('1')
  for (const one of [holder, administrator]) one.discard()
  await stopped
})

describe('an idle event stream', () => {
  test('sends heartbeat comments', async () => {
    const { app, url } = await startApp({ heartbeatMs: 50, maxStreamsPerAddress: 0 })
    const stream = await follow('', { url, apiKey: 'any' })
    expect(await stream.nextComment()).toBe(': still here')
    expect(await stream.nextComment()).toBe(': still here')
    await app.close()
    expect(await stream.ended).toBe('in order')
  })

  test('is one of a limited number for each address, whatever the key', async () => {
    const { app, url } = await startApp({ heartbeatMs: 60_000, maxStreamsPerAddress: 2 })
    const [first] = [await follow('', { url, apiKey: 'any' }), await follow('', { url, apiKey: 'other' })]
    const ask = async (): Promise<number> => {
      const answer = await fetch(`${url}/v3/events/stream`, { headers: { Authorization: 'Bearer third' } })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await ask()).toBe(429)
    first?.close()
    await waitFor(ask, (status) => status === 200)
    await app.close()
  })
})
