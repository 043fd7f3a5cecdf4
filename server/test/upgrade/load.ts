import { setTimeout as delay } from 'node:timers/promises'

// Responses have many shapes; a wrong one fails the checks of its round.
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any

export interface Sent {
  readonly headers: Headers
  readonly body: Body
}

interface SendOptions {
  readonly body?: object | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** Default: the API key. */
  readonly isAnonymous?: boolean
}

export interface Client {
  /** Sends a request to the load balancer. Throws if it fails: with a load balancer, none may. */
  readonly send: (method: string, pathOrUrl: string, options?: SendOptions) => Promise<Sent>
  /** Calls `/v3` + path and returns the body. */
  readonly call: (method: string, path: string, body?: object) => Promise<Body>
  /** Throws if this is not what an earlier response promised. */
  readonly check: (what: string, isRight: boolean) => void
}

/** Work of a client that is repeated until the end. */
export type Round = (client: Client) => Promise<void>

export interface Outcome {
  readonly requests: number
  readonly byServer: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  readonly slowestMs: number
}

export interface Load {
  /** The phase that failures name. */
  readonly enter: (phase: string) => void
  /** Resolves when each of these servers has answered so many more requests. */
  readonly until: (servers: readonly string[], count: number) => Promise<void>
  readonly stop: () => Promise<Outcome>
}

const pauseMs = 10
const tooManyFailures = 100
const phaseTimeoutMs = 180_000

const bodyOf = (body: object | Buffer | undefined): BodyInit | undefined => {
  if (body === undefined) return undefined
  return body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body)
}

/** Repeats each round in a client of its own. */
export const startLoad = (url: string, apiKey: string, rounds: readonly Round[]): Load => {
  const failures: string[] = []
  const byServer: Record<string, number> = {}
  let phase = ''
  let requests = 0
  let slowestMs = 0
  let isStopping = false

  const send: Client['send'] = async (method, pathOrUrl, { body, headers, isAnonymous = false } = {}) => {
    await delay(pauseMs)
    const what = `${phase}: ${method} ${new URL(pathOrUrl, url).pathname}`
    const startedMs = performance.now()
    requests += 1
    const response = await fetch(new URL(pathOrUrl, url), {
      method,
      headers: {
        ...(isAnonymous ? {} : { Authorization: `Bearer ${apiKey}` }),
        ...(body === undefined || body instanceof Buffer ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bodyOf(body) as BodyInit }),
    }).catch((error: unknown) => {
      throw new Error(`${what}: ${String((error as Error).cause ?? error)}`)
    })
    const text = await response.text().catch((error: unknown) => {
      throw new Error(`${what}: the response ended early: ${String(error)}`)
    })
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    const server = response.headers.get('x-served-by') ?? 'none'
    if (!response.ok) throw new Error(`${what} at ${server}: ${response.status} ${text.slice(0, 300)}`)
    byServer[server] = (byServer[server] ?? 0) + 1
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
    return { headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }
  const client: Client = {
    send,
    call: async (method, path, body) =>
      (await send(method, `/v3${path}`, body === undefined ? {} : { body })).body,
    check: (what, isRight) => {
      if (!isRight) throw new Error(`${phase}: ${what}`)
    },
  }
  const run = async (round: Round): Promise<void> => {
    while (!isStopping && failures.length < tooManyFailures)
      await round(client).catch((error: unknown) => failures.push((error as Error).message))
  }
  const running = Promise.all(rounds.map(run))
  return {
    enter: (next) => {
      phase = next
    },
    until: async (servers, count) => {
      const before = { ...byServer }
      const isMissing = (server: string): boolean => (byServer[server] ?? 0) - (before[server] ?? 0) < count
      const endMs = performance.now() + phaseTimeoutMs
      while (servers.some(isMissing) && failures.length < tooManyFailures) {
        if (performance.now() > endMs)
          throw new Error(`${phase}: no ${count} requests at ${servers.filter(isMissing).join()}`)
        await delay(50)
      }
    },
    stop: async () => {
      isStopping = true
      await running
      return { requests, byServer, failures, slowestMs }
    },
  }
}
