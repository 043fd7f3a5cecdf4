import { useSyncExternalStore } from 'react'
import { setConnection } from './connection.ts'

/** One request of this screen, as curl and as a call of the SDK. */
export interface ApiRequest {
  readonly id: number
  readonly method: string
  /** With the query. */
  readonly path: string
  /** JSON, where one was sent. */
  readonly body: string | null
  readonly status: number | null
  /** `zoetrope.files.list(3, { limit: 50 })`; null for what the SDK does by itself, such as the parts of an upload. */
  readonly sdk: string | null
}

/** Screens ask for more than anybody reads. */
const maxRequests = 50

let requests: readonly ApiRequest[] = []
let nextId = 1
const listeners = new Set<() => void>()

const set = (next: readonly ApiRequest[]): void => {
  requests = next
  for (const listener of listeners) listener()
}

/** For each screen anew. */
export const forgetRequests = (): void => set([])

export const useApiRequests = (): readonly ApiRequest[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => requests,
  )

/** The call of the SDK under way: its request leaves before it first waits, so that this is always the right one. */
let currentCall: string | null = null

const secretNames = /password|token|secret/i

/** What somebody types as a password is nothing to show. */
const withoutSecrets = (name: string, value: unknown): unknown =>
  secretNames.test(name) && typeof value === 'string' ? '…' : value

const textOf = (value: unknown): string => {
  if (value instanceof Blob) return value instanceof File ? `'${value.name}'` : 'blob'
  if (typeof value === 'function') return '() => {}'
  return JSON.stringify(value, withoutSecrets) ?? 'undefined'
}

/** Options for the request itself say nothing about the API. */
const isRequestOptions = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'signal' in value

const during = <T>(call: string, work: () => T): T => {
  const before = currentCall
  currentCall = call
  try {
    return work()
  } finally {
    currentCall = before
  }
}

/** Lists are asked for when somebody waits for them. */
const isList = (value: unknown): value is { then: (...args: unknown[]) => unknown } =>
  typeof value === 'object' && value !== null && 'then' in value && !(value instanceof Promise)

/** The same client, which remembers by which of its methods a request was made. */
export const recordCalls = <T extends object>(client: T): T =>
  new Proxy(client, {
    get: (resources, name) => {
      const resource: unknown = Reflect.get(resources, name)
      if (typeof resource !== 'object' || resource === null || typeof name !== 'string') return resource
      return new Proxy(resource, {
        get: (methods, verb) => {
          const method: unknown = Reflect.get(methods, verb)
          if (typeof method !== 'function' || typeof verb !== 'string') return method
          return (...args: unknown[]) => {
            const shown = args.filter((arg) => !isRequestOptions(arg)).map(textOf)
            const call = `zoetrope.${name}.${verb}(${shown.join(', ')})`
            const result: unknown = during(call, () => Reflect.apply(method, methods, args))
            if (!isList(result)) return result
            return new Proxy(result, {
              get: (list, key) => {
                const value: unknown = Reflect.get(list, key)
                if (typeof value !== 'function') return value
                return (...inner: unknown[]) => during(call, () => Reflect.apply(value, list, inner))
              },
            })
          }
        },
      })
    },
  })

const jsonOf = (body: unknown): string | null => {
  if (typeof body !== 'string') return null
  try {
    return JSON.stringify(JSON.parse(body), withoutSecrets)
  } catch {
    return null
  }
}

/** A proxy before a server that restarts answers 502 or 503. */
const isAway = ({ status }: Response): boolean => status === 502 || status === 503

const reach: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    setConnection(isAway(response) ? 'lost' : 'there')
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) setConnection('lost')
    throw error
  }
}

/** The global fetch, which remembers what went to the API. */
export const recordingFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (!url.pathname.startsWith('/v3/') || url.pathname === '/v3/events/stream') return reach(input, init)
  const id = nextId
  nextId += 1
  const method = init?.method ?? 'GET'
  const path = `${url.pathname}${url.search}`
  const entry = { id, method, path, body: jsonOf(init?.body), status: null, sdk: currentCall }
  // What is asked for again and again stands there once.
  const others = requests.filter(
    (request) => method !== 'GET' || request.method !== 'GET' || request.path !== path,
  )
  set([entry, ...others].slice(0, maxRequests))
  const response = await reach(input, init)
  set(requests.map((request) => (request.id === id ? { ...request, status: response.status } : request)))
  return response
}
