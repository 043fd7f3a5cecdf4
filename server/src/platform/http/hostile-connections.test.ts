import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
