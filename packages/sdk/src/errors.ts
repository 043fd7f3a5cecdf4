/** Values of a reason, by name. A message that contains another one has it as `cause`. */
export interface ErrorParams {
  readonly [name: string]: string | number | { readonly reason: string; readonly params: ErrorParams }
}

export interface ErrorDetail {
  readonly field: string
  readonly issue: string
  readonly reason: string
  readonly params: ErrorParams
}

/** Base class of the errors of this client. Invalid arguments throw TypeError instead. */
export class ZoetropeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

interface ApiErrorFields {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly reason: string
  readonly params: ErrorParams
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
}

/**
 * An error response of the API. `message` says how to fix the request; operators find `requestId` in the logs.
 */
export class ApiError extends ZoetropeError {
  readonly status: number
  /** Stable code for programs, such as `not_found`. */
  readonly type: string
  /** What is wrong, such as `file_not_found`; `unknown` when the response is not from the API. */
  readonly reason: string
  /** Values of the reason, such as `{ fileId: 5 }`. */
  readonly params: ErrorParams
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | null
  /** Value of `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | null

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.status = fields.status
    this.type = fields.type
    this.reason = fields.reason
    this.params = fields.params
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** 400: the request is malformed, or well-formed but impossible; `details` names the fields. */
export class InvalidRequestError extends ApiError {}
/** 401: no API key, or one that is malformed or revoked; `type` is `key_expired` for one that has expired. */
export class AuthenticationError extends ApiError {}
/** 403: the key or its user may not do this. */
export class PermissionError extends ApiError {}
/** 404: the record does not exist, is deleted, or belongs to another account. */
export class NotFoundError extends ApiError {}
/** 409: a conflict with the current state, or an idempotency key reused with another body. */
export class ConflictError extends ApiError {}
/** 412: the record has changed since the version in `ifMatch`. */
export class StaleRecordError extends ApiError {}
/** 429, after all retries. */
export class RateLimitError extends ApiError {}
/** 5xx, after all retries. */
export class ServerError extends ApiError {}

/** The server could not be reached, or the connection broke, after all retries. */
export class ConnectionError extends ZoetropeError {}
/** No response within `timeoutMs`, or a wait that exceeded its limit. */
export class TimeoutError extends ZoetropeError {}
/** `webhooks.unwrap` received a request that is unsigned, too old, or not a webhook. */
export class WebhookVerificationError extends ZoetropeError {}

/** The file of `files.waitFor` ended with nothing to play; `message` is its ErrorMessage. */
export class FileFailedError extends ZoetropeError {
  readonly fileId: number

  constructor(fileId: number, message: string) {
    super(message)
    this.fileId = fileId
  }
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: StaleRecordError,
  429: RateLimitError,
}

/** Returns the seconds of `Retry-After`, which is a number or an HTTP date (RFC 9110 10.2.3). */
export const retryAfterOf = (headers: Headers): number | null => {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000)
}

interface ErrorBody {
  readonly error?: {
    readonly message?: string
    readonly type?: string
    readonly reason?: string
    readonly params?: ErrorParams
    readonly details?: readonly ErrorDetail[]
    readonly requestId?: string
  }
}

/**
 * Converts an error response. A response that is not from the API, for example from a proxy, gets its own
 * message.
 */
export const apiErrorOf = async (response: Response): Promise<ApiError> => {
  const text = await response.text().catch(() => '')
  let error: NonNullable<ErrorBody['error']> = {}
  try {
    error = (JSON.parse(text) as ErrorBody).error ?? {}
  } catch {
    // The body is not JSON, so it is not from the API.
  }
  return errorOf(response, error)
}

/** A response that is not from the API, such as a page of a proxy. */
export const notFromApi = (response: Response): ApiError => errorOf(response, {})

const errorOf = (
  { status, statusText, headers }: Response,
  error: NonNullable<ErrorBody['error']>,
): ApiError => {
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new ErrorClass({
    status,
    message: error.message ?? `The server answered ${status} ${statusText}, which is not from the API.`,
    type: error.type ?? 'unknown',
    reason: error.reason ?? 'unknown',
    params: error.params ?? {},
    details: error.details ?? [],
    requestId: error.requestId ?? headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(headers),
  })
}

/** Whether a retry cannot help: the key, its rights or the request are wrong. */
export const isFinalError = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429
