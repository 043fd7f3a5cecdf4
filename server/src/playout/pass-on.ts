import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import { errorEnvelope } from '../http/error-envelope.ts'
import { Problem } from '../kernel/problem.ts'

/** RFC 9110 7.6.1: what concerns one connection only. */
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

const endToEnd = (headers: Headers): Record<string, string | string[]> => {
  const dropped = new Set([
    ...hopByHop,
    ...String(headers['connection'] ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  ])
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !dropped.has(name))
  return Object.fromEntries(kept) as Record<string, string | string[]>
}

/** Passes requests on to another of our processes, and back what it answers, piece by piece. */
export interface PassOn {
  /** Resolves when the answer has been sent, or nobody waits for it any more. */
  readonly pass: (request: FastifyRequest, reply: FastifyReply, origin: string) => Promise<void>
  readonly close: () => Promise<void>
}

const connectMs = 2_000

/** Says that a request comes from one of ours, which tells the viewer's address. */
export const nodeTokenHeader = 'x-live-node-token'

/** `patienceMs`: until the answer begins. `token`: what our processes show to each other. */
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
      // What would free the node has happened before anybody listened for it.
      if (reply.raw.destroyed) return void reply.hijack()
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      let answer: Dispatcher.ResponseData
      try {
        answer = await agent.request({
          origin,
          path: raw.url ?? '/',
          method: raw.method as Dispatcher.HttpMethod,
          headers: {
            ...endToEnd(raw.headers),
            'x-forwarded-for': request.ip,
            'x-request-id': request.id,
            [nodeTokenHeader]: token,
          },
          body: raw.method === 'POST' ? raw : null,
          signal: gone.signal,
        })
      } catch (error) {
        if (gone.signal.aborted) return void reply.hijack()
        return sendUnavailable(request, reply, error)
      }
      reply.hijack()
      reply.raw.writeHead(answer.statusCode, endToEnd(answer.headers))
      // Whichever side breaks off, the other one ends too.
      await pipeline(answer.body, reply.raw).catch(() => {})
    },
    close: () => agent.destroy(),
  }
}

/** Not as an error of ours: when a node restarts, each of its viewers meets it. */
const sendUnavailable = (request: FastifyRequest, reply: FastifyReply, cause: unknown): void => {
  request.log.debug({ requestId: request.id, err: cause }, 'not passed on')
  const problem = new Problem('unavailable', 'The live node does not answer just now; try again.')
  void reply
    .code(problem.status)
    .header('Retry-After', '1')
    .header('Cache-Control', 'no-store')
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(errorEnvelope(problem, request.id))
}
