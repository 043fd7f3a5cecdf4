import { pipeline } from 'node:stream/promises'
import { Agent, type Dispatcher } from 'undici'
import { viewersHeader } from './edge-viewers.ts'
import type { ViewerRequest } from './viewer-request.ts'

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
  readonly pass: (viewer: ViewerRequest, origin: string) => Promise<boolean>
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
 * Time limit for a live node. It exceeds the longest blocked request: three of the longest target durations.
 */
export const patienceMs = 45_000

/** `token` authenticates Zoetrope processes to each other. */
export const createPassOn = ({
  token,
  log,
}: {
  readonly token: string
  readonly log: { readonly debug: (fields: object, message: string) => void }
}): PassOn => {
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  })

  return {
    pass: async ({ request, response, id, address, variesByOrigin, takeResponse }, origin) => {
      const take = (): true => {
        takeResponse()
        return true
      }
      // The viewer disconnected before the close listener was attached.
      if (response.destroyed) return take()
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      let answer: Dispatcher.ResponseData
      try {
        answer = await agent.request({
          origin,
          path: request.url ?? '/',
          method: request.method as Dispatcher.HttpMethod,
          headers: {
            ...endToEnd(withoutOurs(request.headers)),
            'x-forwarded-for': address ?? '',
            'x-request-id': id,
            [nodeTokenHeader]: token,
          },
          body: request.method === 'POST' ? request : null,
          signal: gone.signal,
        })
      } catch (error) {
        if (gone.signal.aborted) return take()
        log.debug({ requestId: id, err: error }, 'cannot proxy a request to the live node')
        return false
      }
      const headers = endToEnd(answer.headers)
      // Hooks that would add it do not run for a hijacked reply.
      if (variesByOrigin) headers['vary'] = 'Origin'
      take()
      response.writeHead(answer.statusCode, headers)
      // When either side disconnects, the pipeline ends the other.
      await pipeline(answer.body, response).catch(() => {})
      return true
    },
    close: () => agent.destroy(),
  }
}
