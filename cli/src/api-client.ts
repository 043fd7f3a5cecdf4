import type { Credentials } from './credentials.ts'

export type ApiRecord = Readonly<Record<string, unknown>>

/** An answer that is no success; the message is the API's own. */
export class ApiError extends Error {
  readonly status: number
  readonly requestId: string | null

  constructor(status: number, message: string, requestId: string | null) {
    super(message)
    this.status = status
    this.requestId = requestId
  }
}

export interface ApiClient {
  readonly get: (path: string) => Promise<ApiRecord>
  readonly post: (path: string, body?: ApiRecord) => Promise<ApiRecord>
  readonly delete: (path: string) => Promise<ApiRecord>
}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly requestId?: string }
}

export const errorOf = async (response: Response): Promise<ApiError> => {
  const text = await response.text()
  let body: ErrorBody = {}
  try {
    body = JSON.parse(text) as ErrorBody
  } catch {
    // Not from the API: a proxy in front of it, or another server.
  }
  return new ApiError(
    response.status,
    body.error?.message ??
      `The server answered ${response.status} ${response.statusText}, which is not from the API.`,
    body.error?.requestId ?? response.headers.get('x-request-id'),
  )
}

/** What fetch hides in the cause of "fetch failed". */
export const unreachable = (url: string, error: unknown): Error => {
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message
  return new Error(`${new URL(url).origin} cannot be reached (${reason}). Is Zoetrope running there?`, {
    cause: error,
  })
}

/** Paths are relative to the API base. Throws ApiError on any answer but 2xx. */
export const createApiClient = ({ apiBase, apiKey }: Credentials): ApiClient => {
  const call = async (method: string, path: string, body?: ApiRecord): Promise<ApiRecord> => {
    const url = `${apiBase}${path}`
    let response: Response
    try {
      response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    } catch (error) {
      throw unreachable(url, error)
    }
    if (!response.ok) throw await errorOf(response)
    return (await response.json()) as ApiRecord
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    delete: (path) => call('DELETE', path),
  }
}
