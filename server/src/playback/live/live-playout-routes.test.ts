import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer, get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { nodeTokenOf } from '../../live/control/nodes/node-token.ts'
import { createPassOn, nodeTokenHeader, sharedHeader } from './pass-on.ts'
import { createViewerKeys, viewersHeader } from './edge-viewers.ts'
import { makeLiveStream, type TestLiveStream } from '../test-support/live-stream.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

/** Stands in for a live node and answers each request with `answer`. */
const startNode = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
) => {
  const node = createServer((incoming, response) => void answer(incoming, response))
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const stop = async () => {
    node.closeAllConnections()
    await new Promise((resolve) => node.close(resolve))
  }
  return { url, stop }
}

const giveTo = async (
  stream: TestLiveStream,
  url: string,
  publicUrl: string | null = null,
  state: 'connected' | 'online' = 'online',
) => {
  const id = randomUUID()
  const { kysely } = server.services.database
  await kysely.insertInto('live_nodes').values({ id, url, public_url: publicUrl, disk: id }).execute()
  await stream.write({ node_id: id, state })
}

const get = ({ playoutId }: TestLiveStream, name: string) =>
  request(`${server.url}/l/${playoutId}/${name}`, 'GET')

test('a stream without a node answers only its status', async () => {
  const stream = await makeLiveStream(server)
  const board = await get(stream, 'status.json')
  expect(board.status).toBe(200)
  expect(board.body).toEqual({
    State: 'offline',
    Title: 'Town hall',
    BoardText: '',
    EndedText: '',
    HasPoster: false,
    OnlineSince: null,
    IsLowLatency: true,
  })
  expect(board.headers.get('access-control-allow-origin')).toBe('*')
  expectProblem(await get(stream, 'main.m3u8'), 'not_found')
  expectProblem(await request(`${server.url}/l/${stream.playoutId}/status.json`, 'POST'), 'not_found')
  expectProblem(await request(`${server.url}/l/${stream.playoutId}/status.json`, 'PUT'), 'method_not_allowed')
  expectProblem(await request(`${server.url}/l/${randomUUID()}/status.json`, 'GET'), 'not_found')
  expectProblem(await request(`${server.url}/l/%00/status.json`, 'GET'), 'not_found')
})

test('/time answers the current time uncached and for every site', async () => {
  const stream = await makeLiveStream(server)
  const response = await fetch(`${server.url}/l/${stream.playoutId}/time`)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const body = await response.text()
  expect(body).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Math.abs(Date.parse(body) - Date.now())).toBeLessThan(5_000)
})

test('tokens, release status and deletion are checked before a request is forwarded', async () => {
  const stream = await makeLiveStream(server, { TokenSecurity: true })
  expectProblem(await get(stream, 'status.json'), 'forbidden')
  const expiresAt = new Date(Date.now() + 60_000)
  const withToken = (token: string) =>
    request(`${server.url}/s/${token}/l/${stream.playoutId}/status.json`, 'GET')
  expect((await withToken(server.services.tokens.issueViewer(stream.playoutId, expiresAt))).status).toBe(200)
  expectProblem(await withToken('kv1.1.x'), 'forbidden')
  const draft = await makeLiveStream(server)
  await draft.write({ release_status: 'draft' })
  expectProblem(await get(draft, 'status.json'), 'not_found')
})

test('requests and answers are forwarded unchanged between viewer and node', async () => {
  const asked: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = []
  const node = await startNode(async (incoming, response) => {
    const { method, url, headers } = incoming
    asked.push({ ...(method && { method }), ...(url && { url }), headers, body: await text(incoming) })
    response.writeHead(206, { 'Content-Type': 'video/mp4', 'Content-Range': 'bytes 0-2/9', 'X-Own': 'yes' })
    response.end(method === 'HEAD' ? undefined : Buffer.from([0, 255, 7]))
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url)
  const base = `${server.url}/l/${stream.playoutId}`
  const answer = await fetch(`${base}/video/1.0.m4s?a=%20b&_HLS_msn=1`, {
    headers: {
      Range: 'bytes=0-2',
      'X-Forwarded-For': '192.0.2.9',
      [nodeTokenHeader]: 'made up',
      [viewersHeader]: '1,2,3',
      [sharedHeader]: '1',
    },
  })
  expect(answer.status).toBe(206)
  expect(answer.headers.get('content-range')).toBe('bytes 0-2/9')
  expect(answer.headers.get('x-own')).toBe('yes')
  expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0, 255, 7])
  await fetch(`${base}/beacon`, { method: 'POST', body: '{"Session":"aaaaaaaa"}' })
  await fetch(`${base}/video/1.0.m4s`, { method: 'HEAD' })
  expect(asked.map(({ method, url }) => [method, url])).toEqual([
    ['GET', `/l/${stream.playoutId}/video/1.0.m4s?a=%20b&_HLS_msn=1`],
    ['POST', `/l/${stream.playoutId}/beacon`],
    ['HEAD', `/l/${stream.playoutId}/video/1.0.m4s`],
  ])
  expect(asked[0]?.headers).toMatchObject({
    range: 'bytes=0-2',
    'x-forwarded-for': '127.0.0.1',
    [nodeTokenHeader]: nodeTokenOf(server.services.secrets),
  })
  for (const name of [viewersHeader, sharedHeader]) expect(asked[0]?.headers).not.toHaveProperty(name)
  expect(asked[1]?.body).toBe('{"Session":"aaaaaaaa"}')
  await node.stop()
})

test('a disconnected viewer frees the node', async () => {
  let waiting = 0
  const node = await startNode((_incoming, response) => {
    waiting++
    response.on('close', () => waiting--)
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url)
  const base = `${server.url}/l/${stream.playoutId}`
  const leaving = httpGet(`${base}/video/live.m3u8?_HLS_msn=1`).on('error', () => {})
  const isWaiting = (count: number) =>
    waitFor(
      async () => waiting,
      (now) => now === count,
    )
  await isWaiting(1)
  leaving.destroy()
  await isWaiting(0)
  await node.stop()
})

test('a viewer that disconnects early causes no request to the node', async () => {
  let asked = 0
  const node = await startNode((_incoming, response) => {
    asked++
    response.end()
  })
  const passOn = createPassOn({ token: 'token', log: { debug: () => {} } })
  const takeResponse = vi.fn()
  const viewer = {
    request: { url: '/', method: 'GET', headers: {} } as never,
    response: Object.assign(new EventEmitter(), { destroyed: true }) as never,
    id: '1',
    address: '192.0.2.1',
    variesByOrigin: false,
    takeResponse,
  }
  await passOn.pass(viewer, node.url)
  expect(takeResponse).toHaveBeenCalled()
  expect(asked).toBe(0)
  await passOn.close()
  await node.stop()
})

test('a node that does not answer causes 503 with Retry-After before the broadcast', async () => {
  const node = await startNode((incoming, response) => {
    if (incoming.url?.endsWith('.m4s') === true)
      response.writeHead(200, { 'Content-Length': 100 }).write('half')
    setImmediate(() => response.destroy())
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url, null, 'connected')
  expectProblem(await get(stream, 'll.m3u8'), 'unavailable')
  expectProblem(await get(stream, 'video/1.m4s'), 'unavailable')
  await node.stop()
  const refused = await get(stream, 'll.m3u8')
  expectProblem(refused, 'unavailable')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await get(stream, 'status.json')).body).toMatchObject({ State: 'offline' })
  expectProblem(await request(`${server.url}/l/${stream.playoutId}/beacon`, 'POST'), 'unavailable')
})

test('viewers wait while a broadcast has no node, until another one has it', async () => {
  const lost = await startNode((_incoming, response) => void response.destroy())
  const stream = await makeLiveStream(server)
  await giveTo(stream, lost.url)
  const waiting = fetch(`${server.url}/l/${stream.playoutId}/video/live.m3u8?_HLS_msn=5`)
  expect((await get(stream, 'status.json')).body).toMatchObject({ State: 'reconnecting' })
  await lost.stop()
  const next = await startNode((_incoming, response) => void response.end('#EXTM3U'))
  await giveTo(stream, next.url)
  const answer = await waiting
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('#EXTM3U')
  await next.stop()
})

test('viewers of the same part cause one request, which names them', async () => {
  const asked: IncomingMessage[] = []
  const releases: (() => void)[] = []
  const node = await startNode((incoming, response) => {
    asked.push(incoming)
    releases.push(() => {
      response.setHeader('Content-Type', 'video/mp4')
      response.end('a part')
    })
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url)
  const base = `${server.url}/l/${stream.playoutId}`
  const names = Array.from({ length: 5 }, (_, index) => `viewer ${index}`)
  const getAll = (path: string) =>
    names.map(async (name) => {
      const answer = await fetch(`${base}/${path}`, { headers: { 'User-Agent': name } })
      return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
    })
  const answers = getAll('video/7.2.m4s')
  await waitFor(
    async () => asked.length,
    (count) => count === 1,
  )
  releases[0]!()
  for (const answer of await Promise.all(answers))
    expect(answer).toEqual({ status: 200, type: 'video/mp4', body: 'a part' })
  await Promise.all(getAll('video/7.2.m4s'))
  expect(asked).toHaveLength(1)

  const playlists = getAll('video/live.m3u8?_HLS_msn=7')
  await waitFor(
    async () => asked.length,
    (count) => count === 2,
  )
  releases[1]!()
  await Promise.all(playlists)
  const next = fetch(`${base}/video/live.m3u8?_HLS_msn=8`)
  await waitFor(
    async () => asked.length,
    (count) => count === 3,
  )
  releases[2]!()
  await next
  const keyOf = createViewerKeys(nodeTokenOf(server.services.secrets))
  const named = asked.flatMap(({ headers }) => String(headers[viewersHeader] ?? '').split(','))
  for (const name of names) expect(named).toContain(String(keyOf('127.0.0.1', name)))
  await node.stop()
})

test('parameters that change nothing cause no request of their own, and are not passed on', async () => {
  const asked: (string | undefined)[] = []
  const node = await startNode((incoming, response) => {
    asked.push(incoming.url)
    response.end('answer')
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url)
  for (const query of ['?a=1', '?a=2', '']) await get(stream, `video/7.2.m4s${query}`)
  await get(stream, 'video/live.m3u8?a=1&_HLS_msn=7&b=2&_HLS_part=1')
  await get(stream, 'video/live.m3u8?_HLS_msn=7&_HLS_part=1')
  const base = `/l/${stream.playoutId}/video`
  expect(asked).toEqual([`${base}/7.2.m4s`, `${base}/live.m3u8?_HLS_msn=7&_HLS_part=1`])
  await node.stop()
})

test('viewers of one request are checked again after it, each by their own link', async () => {
  let release: (() => void) | undefined
  const node = await startNode(({ url }, response) => {
    if (url?.endsWith('status.json') === true) response.end('{}')
    else release = () => response.end('#EXTM3U')
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url)
  const inAMinute = new Date(Date.now() + 60_000)
  const token = server.services.tokens.issuePreview(stream.playoutId, inAMinute)
  const path = `l/${stream.playoutId}/video/live.m3u8?_HLS_msn=9`
  const previewing = request(`${server.url}/s/${token}/${path}`, 'GET')
  const watching = request(`${server.url}/${path}`, 'GET')
  await waitFor(
    async () => release !== undefined,
    (isAsked) => isAsked,
  )
  await stream.write({ release_status: 'draft' })
  await waitFor(
    () => get(stream, 'status.json'),
    ({ status }) => status === 404,
  )
  release?.()
  expect((await previewing).status).toBe(200)
  expectProblem(await watching, 'not_found')
  await node.stop()
})

test('a redirect of a node, which names the link of one viewer, reaches no viewer', async () => {
  const node = await startNode(({ url }, response) => {
    response.writeHead(307, { Location: `https://live.example${url}` }).end()
  })
  const stream = await makeLiveStream(server)
  await giveTo(stream, node.url, null, 'connected')
  expectProblem(await get(stream, 'll.m3u8'), 'unavailable')
  await node.stop()
})

test('a node with a public URL gets viewers by redirect, with token and query', async () => {
  const stream = await makeLiveStream(server)
  await giveTo(stream, 'http://127.0.0.1:1', 'https://live.example/')
  const token = server.services.tokens.issueViewer(stream.playoutId, new Date(Date.now() + 60_000))
  const path = `/s/${token}/l/${stream.playoutId}/ll.m3u8?x=1`
  const answer = await fetch(server.url + path, { redirect: 'manual' })
  expect(answer.status).toBe(307)
  expect(answer.headers.get('location')).toBe(`https://live.example${path}`)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

test('a redirect from an allowed site proves that its origin was checked, because browsers then hide it', async () => {
  const stream = await makeLiveStream(server)
  await giveTo(stream, 'http://127.0.0.1:1', 'https://live.example')
  await server.call('PUT', `/projects/${stream.projectId}`, { body: { AllowedDomains: ['www.example.com'] } })
  const ask = (Origin: string, query = '') =>
    fetch(`${server.url}/l/${stream.playoutId}/ll.m3u8${query}`, { redirect: 'manual', headers: { Origin } })
  const { search } = new URL((await ask('https://www.example.com')).headers.get('location') ?? '')
  expect(search).toMatch(/^\?admitted=\d+\.[\w-]{43}$/)
  expect((await ask('null')).status).toBe(403)
  expect((await ask('null', search)).status).toBe(307)
  expect((await ask('https://evil.example', search)).status).toBe(403)
})
