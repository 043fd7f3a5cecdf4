import { useSyncExternalStore } from 'react'
import { setConnection } from './connection.ts'

export interface ApiRequest {
  readonly id: number
  readonly method: string
  readonly path: string
  /** JSON body, if any. */
  readonly body: string | null
  readonly status: number | null
  /** `zoetrope.files.list(3, { limit: 50 })`. Null for internal requests of the SDK, such as upload parts. */
  readonly sdk: string | null
}

/** Older requests are dropped. */
const maxRequests = 50

let requests: readonly ApiRequest[] = []
let nextId = 1
const listeners = new Set<() => void>()

const set = (next: readonly ApiRequest[]): void => {
  requests = next
  for (const listener of listeners) listener()
}

export const clearRequests = (): void => set([])

export const useApiRequests = (): readonly ApiRequest[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => requests,
  )

/**
 * The current SDK call. The SDK starts the request before its first await, so this is always the right call.
 */
let currentCall: string | null = null

const secretNames = /password|token|secret|^code$/i

const withoutSecrets = (name: string, value: unknown): unknown =>
  secretNames.test(name) && typeof value === 'string' ? '…' : value

const textOf = (value: unknown): string => {
  if (value instanceof Blob) return value instanceof File ? `'${value.name}'` : 'blob'
  if (typeof value === 'function') return '() => {}'
  return JSON.stringify(value, withoutSecrets) ?? 'undefined'
}

/** Request options are not part of the API call. */
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

/** A list is a lazy thenable that requests only when awaited. */
const isList = (value: unknown): value is { then: (...args: unknown[]) => unknown } =>
  typeof value === 'object' && value !== null && 'then' in value && !(value instanceof Promise)

/** Returns a client that records the method of each request. */
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

/** A proxy in front of a restarting server answers 502 or 503. */
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

/** Wraps the global fetch and records requests to the API. */
export const recordingFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href)
  if (!url.pathname.startsWith('/v3/') || url.pathname === '/v3/events/stream') return reach(input, init)
  const id = nextId
  nextId += 1
  const method = init?.method ?? 'GET'
  const path = `${url.pathname}${url.search}`
  const entry = { id, method, path, body: jsonOf(init?.body), status: null, sdk: currentCall }
  // A repeated request is listed once.
  const others = requests.filter(
    (request) => method !== 'GET' || request.method !== 'GET' || request.path !== path,
  )
  set([entry, ...others].slice(0, maxRequests))
  const response = await reach(input, init)
  set(requests.map((request) => (request.id === id ? { ...request, status: response.status } : request)))
  return response
}
