import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../random.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The checker and the clients read responses of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | Uint8Array<ArrayBuffer>
}

export interface Client {
  /** Null without an answer: what was asked may have been done or not. */
  readonly ask: (path: string, request?: Request) => Promise<Answer | null>
  /** Repeats until the status is among `accepted`. Throws for a status that a repeat does not mend. */
  readonly insist: (path: string, accepted: readonly number[], request?: Request) => Promise<Answer>
}

const timeoutMs = 20_000
const pauseMs = 400
const patienceMs = 180_000

/** Statuses of a cluster in trouble. 409 and 423 have their own meaning for the caller. */
export const isTrouble = (status: number): boolean => [429, 500, 502, 503, 504, 507].includes(status)

/**
 * A careful client of the API. It sends each request through the load balancer, or to one of the api nodes. Paths begin
 * with `/`; absolute URLs of records are sent in the same way.
 */
export const createClient = (options: {
  readonly url: string
  readonly apiKey: string
  readonly nodeUrls: readonly string[]
  readonly random: Random
}): Client => {
  const { url, apiKey, nodeUrls, random } = options
  const ask: Client['ask'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const pathOnly = path.startsWith(url) ? path.slice(url.length) : path
    const base = random.next() < 0.5 ? url : random.pick(nodeUrls)
    const isBytes = body instanceof Uint8Array
    try {
      const response = await fetch(base + pathOnly, {
        method,
        headers: {
          ...(pathOnly.startsWith('/v3') ? { Authorization: `Bearer ${apiKey}` } : {}),
          ...(body === undefined || isBytes ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== ''
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
      }
    } catch {
      return null
    }
  }
  return {
    ask,
    insist: async (path, accepted, request = {}) => {
      const untilMs = performance.now() + patienceMs
      for (;;) {
        const answer = await ask(path, request)
        if (answer !== null && accepted.includes(answer.status)) return answer
        const isMendable = answer === null || isTrouble(answer.status)
        const text = `${request.method ?? 'GET'} ${path} answered ${answer?.status} ${JSON.stringify(answer?.body)?.slice(0, 300)}`
        if (!isMendable) throw new Error(text)
        if (performance.now() > untilMs) throw new Error(`${text} for ${patienceMs / 1_000} s`)
        await delay(pauseMs)
      }
    },
  }
}
