/** The closed set of expected request failures; `statusOf` maps each to one HTTP status. */
export type ProblemCode =
  | 'invalid'
  | 'unauthorized'
  | 'key_expired'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'stale'
  | 'too_large'
  | 'quota_exceeded'
  | 'unsupported_media_type'
  | 'timeout'
  | 'range_not_satisfiable'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'storage_full'

export const statusOf = {
  invalid: 400,
  // The API answers a wrong content type with 400 and never uses 415.
  unsupported_media_type: 400,
  unauthorized: 401,
  key_expired: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  quota_exceeded: 413,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<ProblemCode, number>

export interface ProblemDetail {
  readonly field: string
  readonly issue: string
}

/** Statuses of other protocols (tus) that the API does not use. */
export type ProtocolStatus = 412 | 415 | 460

export interface ProblemOptions {
  readonly status?: ProtocolStatus
  readonly details?: readonly ProblemDetail[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A failure that the caller may see: `message` states what is wrong and what would be right. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly details: readonly ProblemDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = options.status ?? statusOf[code]
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}

/** `issue` follows the name of the field; the details contain it without a full stop. */
export const invalidField = (field: string, issue: string): Problem => {
  const bare = issue.replace(/\.$/, '')
  return new Problem('invalid', `${field} ${bare}.`, { details: [{ field, issue: bare }] })
}
