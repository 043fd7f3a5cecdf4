import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { errorEnvelope, toProblem } from '../../platform/http/error-envelope.ts'
import { newId } from '../../platform/base/ids.ts'
import type { Log } from '../../platform/log/log.ts'
import { Problem } from '../../platform/base/problem.ts'
import { guardConnections } from './connections/guard-connections.ts'

/** Handles a request from an api node or another live node. Our own code has written `body`. */
export type ControlHandler = (body: Readonly<Record<string, unknown>>) => Promise<object>

export interface ControlServerOptions {
  readonly token: string
  readonly handlers: Readonly<Record<string, ControlHandler>>
  /** Handles all other requests, which come from viewers. */
  readonly onOther: (request: IncomingMessage, response: ServerResponse) => void
  readonly log: Log
  /** URL at which other nodes reach this server; null listens on a free loopback port. */
  readonly url: string | null
  readonly host: string
}

export interface ControlServer {
  readonly url: string
  /** Bytes sent over all connections, including response headers. */
  readonly sentBytes: () => number
  readonly close: () => void
}

const longestBodyBytes = 16_384
const prefix = '/control/'
/** Time after which a viewer that reads nothing of its answer is disconnected. */
const stuckMs = 30_000

/** Uses node:http directly, because viewers send many requests a second. */
export const startControlServer = async (options: ControlServerOptions): Promise<ControlServer> => {
  const expected = Buffer.from(`Bearer ${options.token}`)

  const isOurs = ({ headers }: IncomingMessage): boolean => {
    const shown = Buffer.from(headers.authorization ?? '')
    return shown.length === expected.length && timingSafeEqual(shown, expected)
  }

  const answer = async (request: IncomingMessage): Promise<object> => {
    const name = (request.url ?? '').slice(prefix.length)
    const handler = Object.hasOwn(options.handlers, name) ? options.handlers[name] : undefined
    if (!isOurs(request)) throw new Problem('nodes_only')
    if (handler === undefined || request.method !== 'POST') throw new Problem('address_not_found')
    return handler(await readBody(request))
  }

  const handleControl = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let status = 200
    let text: string
    try {
      text = JSON.stringify(await answer(request))
    } catch (error) {
      const problem = toProblem(error)
      if (problem.code === 'internal')
        options.log.error({ err: problem.cause }, 'a request of another node failed')
      status = problem.status
      text = errorEnvelope(problem, newId())
    }
    if (response.destroyed) return
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    })
    response.end(text)
  }

  const server = createServer()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith(prefix) === true) void handleControl(request, response)
    else options.onOther(request, response)
  }
  guardConnections(server, handle, stuckMs)
  const sockets = new Set<Socket>()
  let sentBytes = 0
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      sentBytes += socket.bytesWritten
    })
  })
  server.listen(options.url === null ? { host: '127.0.0.1', port: 0 } : listenAt(options.host, options.url))
  await once(server, 'listening')
  return {
    sentBytes: () => sockets.values().reduce((sum, { bytesWritten }) => sum + bytesWritten, sentBytes),
    url: options.url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const listenAt = (host: string, url: string): { readonly host: string; readonly port: number } => {
  const { port, protocol } = new URL(url)
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}

const readBody = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  if (!(Number(request.headers['content-length']) <= longestBodyBytes))
    throw new Problem('control_body_too_large', { maxBytes: longestBodyBytes })
  const body = await json(request).catch(() => null)
  if (!isObject(body)) throw new Problem('body_not_object')
  return body
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
