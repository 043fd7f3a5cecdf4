import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import { viewersHeader } from './edge-viewers.ts'

/** RFC 9110, section 7.6.1: hop-by-hop headers. */
const hopByHop = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

type Headers = Readonly<Record<string, string | string[] | undefined>>

export const endToEnd = (headers: Headers): Record<string, string | string[]> => {
  const dropped = new Set([
    ...hopByHop,
    ...String(headers['connection'] ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  ])
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !dropped.has(name))
  return Object.fromEntries(kept) as Record<string, string | string[]>
}

export interface PassOn {
  /**
   * Resolves when the answer has been sent or the viewer has disconnected, or with false when the node does not
   * answer.
   */
  readonly pass: (request: FastifyRequest, reply: FastifyReply, origin: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

export const connectMs = 2_000

/** Proves that a request comes from a Zoetrope process, whose X-Forwarded-For can be trusted. */
export const nodeTokenHeader = 'x-live-node-token'

/**
 * Marks a request for several viewers, each of whom the api node checks. The token in its path belongs to one of them
 * and may expire before the answer.
 */
export const sharedHeader = 'x-live-shared'

/** Node to node only: the token makes a live node trust them. */
const withoutOurs = ({ [viewersHeader]: _viewers, [sharedHeader]: _shared, ...headers }: Headers): Headers =>
  headers

/**
 * `patienceMs` limits the wait for the answer and each pause in it; `token` authenticates Zoetrope processes
 * to each other.
 */
export const createPassOn = ({
  patienceMs,
  token,
}: {
  readonly patienceMs: number
  readonly token: string
}): PassOn => {
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  })

  return {
    pass: async (request, reply, origin) => {
      const { raw } = request
      // The viewer disconnected before the close listener was attached.
      if (reply.raw.destroyed) return hijack(reply)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      let answer: Dispatcher.ResponseData
      try {
        answer = await agent.request({
          origin,
          path: raw.url ?? '/',
          method: raw.method as Dispatcher.HttpMethod,
          headers: {
            ...endToEnd(withoutOurs(raw.headers)),
            'x-forwarded-for': request.ip,
            'x-request-id': request.id,
            [nodeTokenHeader]: token,
          },
          body: raw.method === 'POST' ? raw : null,
          signal: gone.signal,
        })
      } catch (error) {
        if (gone.signal.aborted) return hijack(reply)
        request.log.debug({ requestId: request.id, err: error }, 'cannot proxy a request to the live node')
        return false
      }
      const headers = endToEnd(answer.headers)
      // Hooks that would add it do not run for a hijacked reply.
      if (request.variesByOrigin) headers['vary'] = 'Origin'
      reply.hijack()
      reply.raw.writeHead(answer.statusCode, headers)
      // When either side disconnects, the pipeline ends the other.
      await pipeline(answer.body, reply.raw).catch(() => {})
      return true
    },
    close: () => agent.destroy(),
  }
}

const hijack = (reply: FastifyReply): true => {
  reply.hijack()
  return true
}
