import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createSlowAnswers } from '../../../playback/live/slow-answers.ts'
import { guardConnections } from './guard-connections.ts'

const undo: (() => void)[] = []
afterEach(() => undo.splice(0).forEach((act) => act()))

/** Larger than the socket buffers of both ends. */
const large = Buffer.alloc(32 * 2 ** 20)

type Viewer = Socket & { readonly server: Server }

const start = async (handle: RequestListener, stuckMs: number): Promise<Viewer> => {
  const server = createServer()
  guardConnections(server, handle, stuckMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  undo.push(() => {
    socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  await once(socket, 'connect')
  return Object.assign(socket, { server })
}

const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: live\r\n\r\n`

/** Waits for the end of an answer, which a client that does not read cannot see. */
const closed = (response: ServerResponse | undefined) =>
  waitFor(
    async () => response?.closed,
    (isClosed) => isClosed === true,
  )

test('disconnects a client that does not read, and handles only one of its requests', async () => {
  const answers: ServerResponse[] = []
  const viewer = await start((_request, response) => {
    answers.push(response)
    response.end(large)
  }, 150)
  viewer.pause()
  viewer.write(ask('/1').repeat(8))
  await waitFor(
    async () => answers.length,
    (count) => count > 0,
  )
  await closed(answers[0])
  expect(answers).toHaveLength(1)
  expect(answers[0]?.writableFinished).toBe(false)
})

test('answers pipelined requests one at a time, in order', async () => {
  const asked: (string | undefined)[] = []
  const viewer = await start((request, response) => {
    asked.push(request.url)
    setImmediate(() => response.end(`answer to ${request.url}`))
  }, 10_000)
  viewer.write(['/1', '/2', '/3'].map(ask).join(''))
  let text = ''
  viewer.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await waitFor(
    async () => text,
    (read) => read.includes('answer to /3'),
  )
  expect(text.match(/answer to \/\d/g)).toEqual(['answer to /1', 'answer to /2', 'answer to /3'])
  expect(asked).toEqual(['/1', '/2', '/3'])
})

test('disconnects a client that pipelines too many requests', async () => {
  const viewer = await start(() => {}, 10_000)
  viewer.write(ask('/').repeat(100))
  await once(viewer, 'close')
})

test('does not disconnect a client that waits for an answer', async () => {
  let waiting: ServerResponse | undefined
  const viewer = await start((_request, response) => {
    waiting = response
  }, 50)
  viewer.write(ask('/'))
  await once(viewer.server, 'timeout')
  waiting?.end('late')
  expect(String((await once(viewer, 'data'))[0])).toContain('late')
})

test('disconnects a client that reads too slowly after two minutes', async () => {
  let nowMs = 0
  const slow = createSlowAnswers(() => nowMs)
  let answer: ServerResponse | undefined
  const viewer = await start((request, response) => {
    response.end(request.url === '/large' ? large : 'small')
    slow.watch(response)
    if (request.url === '/large') answer = response
  }, 10_000)
  viewer.write(ask('/small'))
  await once(viewer, 'data')
  viewer.pause()
  viewer.write(ask('/large'))
  await waitFor(
    async () => answer,
    (begun) => begun !== undefined,
  )
  nowMs = 119_999
  slow.sweep()
  expect(answer?.destroyed).toBe(false)
  nowMs = 120_000
  slow.sweep()
  await closed(answer)
})
