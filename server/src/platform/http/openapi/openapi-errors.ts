/** Meaning and example response of an error status. */
interface ErrorDescription {
  readonly description: string
  readonly type: string
  readonly message: string
  readonly details?: readonly { readonly field: string; readonly issue: string }[]
}

const requestId = '0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21'

export const errorDescriptions: Readonly<Record<number, ErrorDescription>> = {
  400: {
    description:
      'The request is invalid: malformed JSON, a wrong type, or a value that is not allowed. `details` names the fields.',
    type: 'invalid',
    message: 'limit must be an integer of at least 1, not 0.',
    details: [{ field: 'limit', issue: 'must be an integer of at least 1' }],
  },
  401: {
    description:
      'The API key is missing, malformed, revoked, or from another installation. If it has expired, `type` is `key_expired`.',
    type: 'unauthorized',
    message: 'An API key is needed: send it as "Authorization: Bearer <API key>".',
  },
  403: {
    description: 'The API key, or the role of its user, does not allow this request.',
    type: 'forbidden',
    message: 'Your key or role does not allow files:write; ask an administrator for it.',
  },
  404: {
    description:
      'The record does not exist, is deleted, or belongs to another account. The response does not say which.',
    type: 'not_found',
    message: 'Project 5 does not exist.',
  },
  409: {
    description:
      'The request conflicts with the present state of the record. Or the `Idempotency-Key` was used for another request, or for one that is still running.',
    type: 'conflict',
    message: 'Project 3 is live; stop the stream first.',
  },
  412: {
    description:
      'The record has changed since the version in `If-Match`. For tus: the requested version is not 1.0.0.',
    type: 'stale',
    message: 'The record has changed since the version that If-Match names; read it again.',
  },
  413: {
    description:
      'The body is too large. If `type` is `quota_exceeded`, the storage quota of the project is used up.',
    type: 'too_large',
    message: 'The body is larger than 1 MiB, the limit for JSON.',
  },
  415: {
    description: 'The `Content-Type` of the tus request is not `application/offset+octet-stream`.',
    type: 'unsupported_media_type',
    message: 'The body of a tus request has the Content-Type application/offset+octet-stream.',
  },
  429: {
    description:
      'Too many requests in this minute, or too many open event streams. Wait as long as `Retry-After` says.',
    type: 'rate_limited',
    message: 'This API key or user has made its 600 reads of this minute; go on in 21 s.',
  },
  460: {
    description: 'The bytes do not match `Upload-Checksum` and were discarded. Send them again.',
    type: 'invalid',
    message:
      'The bytes of this request do not have the sha256 that Upload-Checksum says; they were dropped, send them again.',
  },
  500: {
    description: 'Internal server error.',
    type: 'internal',
    message: 'Internal server error. Try again; if it stays, report the request id.',
  },
  503: {
    description:
      'The server is starting or stopping, or cannot reach a service that it depends on. Wait as long as `Retry-After` says.',
    type: 'unavailable',
    message: 'The database cannot be reached just now; try again.',
  },
  507: {
    description: 'The storage of the server is full.',
    type: 'storage_full',
    message: 'The storage is full; free some space, or ask the operator.',
  },
}

export const errorExample = (status: number): object | undefined => {
  const described = errorDescriptions[status]
  if (described === undefined) return undefined
  const { type, message, details } = described
  return { error: { code: status, message, type, ...(details === undefined ? {} : { details }), requestId } }
}
