export interface ErrorDetail {
  readonly field: string
  readonly issue: string
}

/** Everything that this client throws on its own account; a bad argument is a TypeError. */
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
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
}

/** The API refused. `message` says what would be right; `requestId` is what an operator finds in the logs. */
export class ApiError extends ZoetropeError {
  readonly status: number
  /** A stable slug for programs, such as `not_found`. */
  readonly type: string
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | null
  /** What `Retry-After` asked for. */
  readonly retryAfterSeconds: number | null

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.status = fields.status
    this.type = fields.type
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
/** 404: unknown, deleted, or of another account. */
export class NotFoundError extends ApiError {}
/** 409: in conflict with the present state, or an idempotency key with another body. */
export class ConflictError extends ApiError {}
/** 412: the record has changed since the version that `ifMatch` names. */
export class StaleRecordError extends ApiError {}
/** 429, after all retries. */
export class RateLimitError extends ApiError {}
/** 5xx, after all retries. */
export class ServerError extends ApiError {}

/** The server could not be reached, or the connection broke, after all retries. */
export class ConnectionError extends ZoetropeError {}
/** No answer within `timeoutMs`, or a wait that took longer than it was given. */
export class TimeoutError extends ZoetropeError {}
/** `webhooks.unwrap` got a request that is not signed with the secret, too old, or not a webhook. */
export class WebhookVerificationError extends ZoetropeError {}

/** `files.waitFor` waited for a file that ended with nothing to play; `message` is its ErrorMessage. */
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

/** Seconds, or an HTTP date (RFC 9110 10.2.3). */
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
    readonly details?: readonly ErrorDetail[]
    readonly requestId?: string
  }
}

/** Reads the error that an answer carries; one that is not from the API (a proxy in between) gets a message of its own. */
export const apiErrorOf = async (response: Response): Promise<ApiError> => {
  const text = await response.text().catch(() => '')
  let error: NonNullable<ErrorBody['error']> = {}
  try {
    error = (JSON.parse(text) as ErrorBody).error ?? {}
  } catch {
    // Not JSON, so not from the API.
  }
  const { status, headers } = response
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new ErrorClass({
    status,
    message:
      error.message ?? `The server answered ${status} ${response.statusText}, which is not from the API.`,
    type: error.type ?? 'unknown',
    details: error.details ?? [],
    requestId: error.requestId ?? headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(headers),
  })
}
