import { pauseAfter } from './backoff.ts'
import { ApiError, apiErrorOf, ConnectionError, notFromApi, TimeoutError } from './errors.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Answer, Body, OperationId, Query } from './operation-types.ts'

interface CommonOptions {
  /** URL of the installation, with or without `/v3`, such as `https://video.example.com`. */
  readonly baseUrl: string
  /**
   * Number of retries after a lost connection, 429, 502, 503 or 504. Default 3. A DELETE or conditional PUT whose
   * response was lost is not retried, because it would return 404 or 412 the second time.
   */
  readonly maxRetries?: number
  /** Timeout of one attempt. Default 60,000. */
  readonly timeoutMs?: number
  /**
   * Called with warnings about successful calls, such as body fields that the server ignored. Default:
   * console.warn.
   */
  readonly onWarning?: (warning: string) => void
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch
}

/** Use `apiKey` on your server. Pages of the installation itself use the session cookie with `csrfToken`. */
export type ClientOptions = CommonOptions &
  (
    | { readonly apiKey: string; readonly csrfToken?: undefined }
    | { readonly apiKey?: undefined; readonly csrfToken: () => string | null }
  )

/** Last argument of every method. */
export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly maxRetries?: number
  /** Changes the record only if it still has this version (`metaOf(record).etag`). */
  readonly ifMatch?: string
  /**
   * For POST: the server executes a key once within 24 h and repeats the response. Default: a random key per
   * call.
   */
  readonly idempotencyKey?: string
}

/** Metadata of the response that contained a record. */
export interface ResponseMeta {
  readonly status: number
  readonly etag: string | null
  readonly requestId: string | null
  /** Unknown query parameters that the server ignored. */
  readonly ignoredParameters: readonly string[]
  /** Paths of unknown body fields that the server ignored, such as `Metadata.Titel`. */
  readonly ignoredFields: readonly string[]
}

const metas = new WeakMap<object, ResponseMeta>()

/** Returns the metadata of the response that contained this object, or undefined if no call returned it. */
export const metaOf = (record: object): ResponseMeta | undefined => metas.get(record)

interface CallInput<Id extends OperationId> {
  readonly path?: Readonly<Record<string, number | string>>
  readonly query?: Query<Id>
  readonly body?: Body<Id> | Blob | FormData
  readonly options?: RequestOptions | undefined
}

export interface HttpClient {
  /**
   * Calls an operation by its operationId in openapi.json. Throws ApiError, ConnectionError or TimeoutError.
   */
  readonly call: <Id extends OperationId>(id: Id, input?: CallInput<Id>) => Promise<Answer<Id>>
  /**
   * Returns the body of a response as it arrives, such as an event stream. The request is sent once, without
   * retries and timeout. The body fails with ConnectionError when the connection breaks.
   */
  readonly open: (
    path: string,
    init: { headers: Readonly<Record<string, string>>; signal?: AbortSignal },
  ) => Promise<ReadableStream<Uint8Array>>
  /** For upload URLs, which contain their own credential. */
  readonly fetch: typeof fetch
}

const apiBaseOf = (baseUrl: string): string => {
  if (!baseUrl || !URL.canParse(baseUrl))
    throw new TypeError(`baseUrl must be a URL such as https://video.example.com, not "${baseUrl}"`)
  return `${baseUrl.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3`
}

/** Returns a random key. Browsers offer randomUUID only on pages loaded over HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/**
 * Returns the query pairs of a parameter. An object is a parameter family: `{ customMetadata: { season: 4 } }`
 * becomes `customMetadata.season=4`.
 */
const queryPairs = (name: string, value: unknown): [string, string][] => {
  if (value === undefined) return []
  if (value instanceof Date) return [[name, value.toISOString()]]
  if (Array.isArray(value)) return [[name, value.join(',')]]
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) => queryPairs(`${name}.${key}`, inner))
  return [[name, `${value as string | number | boolean | null}`]]
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

export const queryString = (query: object | undefined): string => {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) => queryPairs(name, value))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

/** The server did nothing. */
const refusals = new Set([429, 503])
/** A proxy had no response, but the server may have executed the request. */
const lostResponses = new Set([502, 504])

export const createHttpClient = (client: ClientOptions): HttpClient => {
  // JavaScript callers may pass an unset environment variable.
  if (!client.apiKey && client.csrfToken === undefined) throw new TypeError('apiKey is missing')
  const credentials = (): Record<string, string> => {
    if (client.csrfToken === undefined) return { Authorization: `Bearer ${client.apiKey}` }
    const csrfToken = client.csrfToken()
    return csrfToken === null ? {} : { 'X-CSRF-Token': csrfToken }
  }
  const apiBase = apiBaseOf(client.baseUrl)
  const send = client.fetch ?? fetch
  // oxlint-disable-next-line no-console -- a misspelt field would go unnoticed otherwise
  const warn = client.onWarning ?? ((warning: string) => console.warn(warning))

  const attempt = async <T>(
    url: string,
    init: RequestInit,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 60_000
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout])
    try {
      const response = await send(url, { ...init, signal }).catch((error: unknown) => {
        throw unreachable(url, error)
      })
      return await read(response)
    } catch (error) {
      if (error instanceof ApiError) throw error
      options.signal?.throwIfAborted()
      if (timeout.aborted) throw new TimeoutError(`${url} did not respond within ${timeoutMs} ms`)
      throw error
    }
  }

  const call = async <Id extends OperationId>(id: Id, input: CallInput<Id> = {}): Promise<Answer<Id>> => {
    const [method, template] = operationTable[id]
    const { options = {}, body } = input
    const path = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String(input.path?.[name])),
    )
    const isJson = body !== undefined && !(body instanceof Blob) && !(body instanceof FormData)
    const init: RequestInit = {
      method,
      headers: {
        ...credentials(),
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...(method === 'POST' ? { 'Idempotency-Key': options.idempotencyKey ?? newKey() } : {}),
        ...(options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch }),
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
    }
    const url = `${apiBase}${path}${queryString(input.query)}`
    const maxRetries = options.maxRetries ?? client.maxRetries ?? 3
    // A DELETE or conditional PUT whose response was lost would return 404 or 412 the second time.
    const mayRepeatUnseen =
      method === 'GET' || method === 'POST' || (method === 'PUT' && options.ifMatch === undefined)
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt(url, init, options, async (response) => {
          if (!response.ok) throw await apiErrorOf(response)
          const ignored = ignoredFieldsOf(response)
          if (ignored.length > 0)
            warn(`${id}: the server ignored fields that it does not know: ${ignored.join(', ')}`)
          return readAnswer<Answer<Id>>(response)
        })
      } catch (error) {
        if (retry === maxRetries || !isWorthRetrying(error, mayRepeatUnseen)) throw error
        await pauseAfter(error, retry, options.signal)
      }
    }
  }

  return {
    call,
    fetch: send,
    open: async (path, { headers, signal }) => {
      const url = `${apiBase}${path}`
      const init = {
        headers: { ...headers, ...credentials() },
        ...(signal && { signal }),
      }
      const response = await send(url, init).catch((error: unknown) => {
        signal?.throwIfAborted()
        throw unreachable(url, error)
      })
      if (!response.ok) throw await apiErrorOf(response)
      if (response.body === null) throw new ConnectionError('the server did not return a stream')
      return withConnectionErrors(response.body, signal)
    },
  }
}

const isWorthRetrying = (error: unknown, mayRepeatUnseen: boolean): boolean => {
  // The first request is still carried out: another one would make a second clip.
  if (error instanceof ApiError && error.reason === 'clip_in_progress') return false
  if (error instanceof ApiError && !lostResponses.has(error.status))
    // The first attempt of a POST may still run after its timeout.
    return refusals.has(error.status) || error.reason === 'idempotent_request_in_progress'
  return (
    mayRepeatUnseen &&
    (error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError)
  )
}

const unreachable = (url: string, error: unknown): ConnectionError =>
  new ConnectionError(
    `Cannot reach ${new URL(url).origin} (${reasonOf(error)}). Check that Zoetrope is running there.`,
    { cause: error },
  )

/** Returns the cause that fetch hides behind "fetch failed". */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? ((cause as Error & { code?: string }).code ?? cause.message) : message
}

const ignoredFieldsOf = ({ headers }: Response): string[] =>
  headers.get('x-ignored-fields')?.split(', ') ?? []

const interrupted = (error: unknown): ConnectionError =>
  new ConnectionError(`the response was interrupted: ${reasonOf(error)}`, { cause: error })

/** `fetch` reports a connection that breaks during the body as a bare TypeError. */
const withConnectionErrors = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read().catch((error: unknown) => {
          signal?.throwIfAborted()
          throw interrupted(error)
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads no faster than the caller.
    { highWaterMark: 0 },
  )
}

/** Returns undefined for a text that is not a JSON object. */
const parseRecord = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const readAnswer = async <T>(response: Response): Promise<T> => {
  const text = await response.text().catch((error: unknown) => {
    throw interrupted(error)
  })
  const record = parseRecord(text) as (T & object) | undefined
  if (record === undefined) throw notFromApi(response)
  metas.set(record, {
    status: response.status,
    etag: response.headers.get('etag'),
    requestId: response.headers.get('x-request-id'),
    ignoredParameters: response.headers.get('x-ignored-parameters')?.split(', ') ?? [],
    ignoredFields: ignoredFieldsOf(response),
  })
  return record
}
