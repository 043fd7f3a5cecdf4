import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import type { LiveAccess, LiveStreamFacts } from './live-access.ts'
import { createSharedAnswers, type SharedQuestion } from './shared-answers.ts'

const startNode = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    id: `node ${(server.address() as AddressInfo).port}`,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicUrl: null,
  }
}

type Facts = Pick<LiveStreamFacts, 'node' | 'state'> & Partial<Pick<LiveStreamFacts, 'onlineSince'>>

const start = (facts: Facts, holdMs = 300) => {
  const stream: { facts: typeof facts; newFacts?: typeof facts } = { facts }
  const access: LiveAccess = {
    factsOf: () => stream.facts as LiveStreamFacts,
    refresh: () => {
      stream.facts = stream.newFacts ?? stream.facts
    },
    grantOf: () => null,
  }
  const answers = createSharedAnswers({ access, token: 'token', patienceMs: 5_000, holdMs })
  onTestFinished(() => answers.close())
  const get = async (name: string, options: Partial<SharedQuestion> = {}) => {
    const question = {
      playoutId: 'a stream',
      path: `/${name}`,
      key: name,
      playlistKey: name.includes('.m3u8') ? name.replace(/\?.*/, '') : null,
      isDelta: false,
      isReload: name.includes('?'),
      headers: {},
      moreHeaders: () => ({}),
      ...options,
    }
    const { answer } = await answers.get(question, AbortSignal.timeout(10_000))
    return `${answer.status} ${answer.body.toString()}`
  }
  return { stream, get }
}

const problem = (response: ServerResponse, reason: string) =>
  response.writeHead(503).end(JSON.stringify({ error: { reason } }))

test('follows the stream from a node that hangs, and from one that has lost it', async () => {
  let asked = 0
  const hanging = await startNode(() => void asked++)
  const lost = await startNode((_request, response) => problem(response, 'stream_moved'))
  const next = await startNode((_request, response) => response.end('here'))
  const { stream, get } = start({ state: 'online', node: hanging })
  const answer = get('live.m3u8')
  await waitFor(
    async () => asked,
    (count) => count === 1,
  )
  stream.facts = { state: 'reconnecting', node: lost }
  await waitFor(
    async () => asked,
    (count) => count === 1,
  )
  stream.facts = { state: 'reconnecting', node: next }
  expect(await answer).toBe('200 here')
})

test('looks for a new owner soon while a node hangs', async () => {
  const hanging = await startNode(() => {})
  const next = await startNode((_request, response) => response.end('here'))
  const { stream, get } = start({ state: 'online', node: hanging }, 5_000)
  // Known facts count as current until they are refreshed.
  stream.newFacts = { state: 'reconnecting', node: next }
  expect(await get('live.m3u8')).toBe('200 here')
})

test('does not wait for a node that hangs when no node has the stream any more', async () => {
  let asked = 0
  const hanging = await startNode(() => void asked++)
  const { stream, get } = start({ state: 'online', node: hanging })
  const startedMs = performance.now()
  const answer = get('live.m3u8')
  await waitFor(
    async () => asked,
    (count) => count === 1,
  )
  stream.facts = { state: 'online', node: null }
  await expect(answer).rejects.toThrow('does not respond')
  expect(performance.now() - startedMs).toBeLessThan(4_000)
})

test('returns the last playlist when no node has the stream in time, and nothing of an ended one', async () => {
  let count = 0
  const node = await startNode((_request, response) => response.end(`playlist ${count++}`))
  const { stream, get } = start({ state: 'online', node })
  expect(await get('live.m3u8?a')).toBe('200 playlist 0')
  expect(await get('live.m3u8?b', { isDelta: true })).toBe('200 playlist 1')
  stream.facts = { state: 'online', node: null }
  expect(await get('live.m3u8?c')).toBe('200 playlist 0')
  expect(await get('live.m3u8?c', { key: 'c, delta', isDelta: true })).toBe('200 playlist 1')
  await expect(get('other.m3u8')).rejects.toThrow('does not respond')
  await expect(get('1.m4s')).rejects.toThrow('does not respond')
  stream.facts = { state: 'offline', node: null }
  await expect(get('live.m3u8?d')).rejects.toMatchObject({ code: 'not_found' })
})

test('returns no last playlist of the previous broadcast', async () => {
  const node = await startNode((_request, response) => response.end('playlist'))
  const first = new Date('2026-03-01T12:00:00Z')
  const { stream, get } = start({ state: 'online', node, onlineSince: first })
  await get('live.m3u8?a')
  stream.facts = { state: 'online', node: null, onlineSince: first }
  expect(await get('live.m3u8?b')).toBe('200 playlist')
  stream.facts = { state: 'online', node: null, onlineSince: new Date('2026-03-01T12:01:00Z') }
  await expect(get('live.m3u8?c')).rejects.toThrow('does not respond')
})

test('returns no last playlist that is older than what the player knows from another process', async () => {
  const playlist = `#EXTM3U
#EXT-X-MEDIA-SEQUENCE:5
#EXTINF:2,
5.m4s
#EXTINF:2,
6.m4s
#EXT-X-PART:DURATION=0.2,URI="7.0.m4s"
`
  const delta = `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n#EXTINF:2,\n6.m4s\n`
  const node = await startNode(({ url }, response) => {
    if (url?.includes('skip') === true) response.end(delta)
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(playlist))
  })
  const { stream, get } = start({ state: 'online', node })
  await get('live.m3u8?_HLS_msn=7')
  await get('live.m3u8?_HLS_msn=6&_HLS_skip=YES', { isDelta: true })
  stream.facts = { state: 'online', node: null }
  const known = (query: string) => get(`live.m3u8?${query}`)
  const statuses = await Promise.all(
    ['_HLS_msn=6', '_HLS_msn=7', '_HLS_msn=7&_HLS_part=1'].map(async (query) =>
      (await known(query)).slice(0, 3),
    ),
  )
  expect(statuses).toEqual(['200', '200', '200'])
  for (const query of ['_HLS_msn=7&_HLS_part=2', '_HLS_msn=8'])
    await expect(known(query)).rejects.toThrow('does not respond')
  const short = (query: string) => get(`live.m3u8?${query}&_HLS_skip=YES`, { isDelta: true })
  expect(await short('_HLS_msn=7')).toBe(`200 ${delta}`)
  await expect(short('_HLS_msn=5')).rejects.toThrow('does not respond')
})

test('a clock that is set back makes no playlist older', async () => {
  let count = 0
  const node = await startNode((_request, response) => response.end(`playlist ${count++}`))
  const { get } = start({ state: 'online', node })
  expect(await get('live.m3u8')).toBe('200 playlist 0')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 300_000)
  onTestFinished(() => clock.mockRestore())
  expect(
    await waitFor(
      () => get('live.m3u8'),
      (text) => text !== '200 playlist 0',
    ),
  ).toBe('200 playlist 1')
})

test('returns the last playlist when a blocked request gets nothing new, and waits for a restored one', async () => {
  let isRestored = false
  const node = await startNode(({ url }, response) => {
    if (url?.includes('?late') === true) problem(response, 'live_response_late')
    else if (isRestored) response.end('playlist')
    else response.writeHead(404).end()
  })
  const { get } = start({ state: 'reconnecting', node })
  const waiting = get('live.m3u8')
  expect(await get('1.m4s')).toBe('404 ')
  isRestored = true
  expect(await waiting).toBe('200 playlist')
  expect(await get('live.m3u8?late')).toBe('200 playlist')
})

test('returns no playlist of a node that has lost the stream while it answered', async () => {
  const next = await startNode((_request, response) => response.end('new'))
  const former = await startNode((_request, response) => {
    stream.facts = { state: 'online', node: next }
    response.end('old')
  })
  const { stream, get } = start({ state: 'online', node: former })
  expect(await get('live.m3u8')).toBe('200 new')
  stream.facts = { state: 'online', node: former }
  expect(await get('1.m4s')).toBe('200 old')
})

test('passes on other refusals of the node', async () => {
  const node = await startNode((_request, response) => problem(response, 'too_many_waiting_viewers'))
  const { get } = start({ state: 'online', node })
  expect(await get('live.m3u8')).toContain('503')
})
