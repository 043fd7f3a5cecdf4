import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../log/log.ts'
import type { HttpServer } from './http-server.ts'
import { createHttpServer } from './server.ts'
import { expectProblem } from './test-support/expect-problem.ts'
import { rawRequest } from './test-support/raw-request.ts'

let app: HttpServer
let url: string
let handled: number
const open: Socket[] = []

beforeEach(async () => {
  handled = 0
  app = await createHttpServer({
    log: createLog({ level: 'silent' }),
    publicUrl: 'http://video.test',
    limits: { headersMs: 120, jsonBodyMs: 150, connections: 3 },
  })
  app.post('/echo', async ({ body }) => {
    handled += 1
    return body
  })
  app.get('/', async () => {
    handled += 1
    return { ok: true }
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await app.close()
})

const post = (headers: string, ...bodies: string[]) =>
  rawRequest(
    url,
    `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
    ...bodies,
  )

test('headers that never end get 408 and a closed connection', async () => {
  const answer = await rawRequest(url, 'GET / HTTP/1.1\r\nHost: a\r\nX-A: ')
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'timeout')
})

test.each([
  ['with a length', 'Content-Length: 100', ['{"a":']],
  ['in chunks', 'Transfer-Encoding: chunked', ['5\r\n{"a":\r\n']],
  ['that sends no bytes', 'Content-Length: 100', []],
])('a JSON body %s that never ends gets 408 and a closed connection', async (_what, headers, bodies) => {
  const answer = await post(headers, ...bodies)
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'timeout')
  expect(handled).toBe(0)
})

test('a body refused for its size does not keep its connection open', async () => {
  const answer = await post('Content-Length: 2000000', '{"a":')
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'too_large')
})

test('a body in pieces is accepted when the last one arrives in time', async () => {
  const answer = await post('Content-Length: 2\r\nConnection: close', '{', '}')
  expect(answer?.status).toBe(200)
  expect(handled).toBe(1)
})

test('closes new connections above the limit, and serves them again below it', async () => {
  const { port } = app.server.address() as AddressInfo
  const opened = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
      socket.on('error', () => {})
      open.push(socket)
    })
  const held: Socket[] = []
  for (let index = 0; index < 3; index += 1) {
    const socket = await opened()
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    held.push(socket)
  }
  expect(await rawRequest(url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toBeNull()
  const gone = new Promise((resolve) => app.server.once('connection', resolve))
  const [first] = held
  const closed = new Promise((resolve) => first?.once('close', resolve))
  first?.end()
  await closed
  const answer = await rawRequest(url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(answer?.status).toBe(200)
  await gone
})

describe('one address', () => {
  const startLimited = async (trustedProxies: string[]) => {
    const limited = await createHttpServer({
      log: createLog({ level: 'silent' }),
      publicUrl: 'http://video.test',
      trustedProxies,
      limits: { connections: 1_000, connectionsPerAddress: 20 },
    })
    const waiting: (() => void)[] = []
    limited.get('/wait', () => new Promise<object>((resolve) => waiting.push(() => resolve({ ok: true }))))
    limited.get('/', async () => ({ ok: true }))
    const address = await limited.listen({ host: '0.0.0.0', port: 0 })
    return { limited, waiting, port: Number(new URL(address).port) }
  }

  const openFrom = (localAddress: string, port: number): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => resolve(socket))
      socket.on('error', () => {})
      open.push(socket)
    })

  const statusFrom = async (localAddress: string, port: number): Promise<string> => {
    const socket = await openFrom(localAddress, port)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await new Promise((resolve) => socket.once('close', resolve))
    return text.slice(9, 12)
  }

  test('that holds many half-open requests gets no more connections, and others are served', async () => {
    const { limited, port } = await startLimited([])
    for (let index = 0; index < 100; index += 1) {
      const socket = await openFrom('127.0.0.2', port)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-A: ')
    }
    expect(await statusFrom('127.0.0.2', port)).toBe('')
    expect(await statusFrom('127.0.0.3', port)).toBe('200')
    for (const socket of open.splice(0)) socket.destroy()
    await expect.poll(() => statusFrom('127.0.0.2', port)).toBe('200')
    await limited.close()
  })

  test('behind a trusted proxy has a limit of requests in progress, and the proxy has none', async () => {
    const { limited, waiting, port } = await startLimited(['127.0.0.2/32'])
    const ask = async (path: string, client: string): Promise<Socket> => {
      const socket = await openFrom('127.0.0.2', port)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`)
      return socket
    }
    const statusOf = async (client: string): Promise<string> => {
      const socket = await ask('/', client)
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      return bytes.toString().slice(9, 12)
    }
    for (let index = 0; index < 20; index += 1) await ask('/wait', '192.0.2.1')
    await expect.poll(() => waiting.length).toBe(20)
    expect(await statusOf('192.0.2.1')).toBe('429')
    expect(await statusOf('192.0.2.2')).toBe('200')
    for (const answer of waiting.splice(0)) answer()
    await expect.poll(() => statusOf('192.0.2.1')).toBe('200')
    for (const socket of open.splice(0)) socket.destroy()
    await limited.close()
  })
})

/**
 * If two servers disagree about the end of the body, the second one would see a request in it that the first
 * has missed.
 */
const smuggling = [
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Content-Length: 5\r\nContent-Length: 5',
  'Content-Length: 5, 5',
  'Content-Length: +5',
  'Content-Length: 0x5',
  'Content-Length: 5 5',
  'Content-Length: 99999999999999999999999',
  'Content-Length : 5',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5',
  'X: a\nTransfer-Encoding: chunked',
  'X: a\rTransfer-Encoding: chunked',
]

test.each(smuggling)('a request after %j gets 400 and a closed connection', async (headers) => {
  const behind = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const answer = await rawRequest(
    url,
    `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n0\r\n\r\n${behind}`,
  )
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'invalid')
  expect(handled).toBe(0)
})
