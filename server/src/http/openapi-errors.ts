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
      'The request is not valid: broken JSON, a wrong type, a bad query value, or something well-formed but impossible. `details` names the fields.',
    type: 'invalid',
    message: 'limit must be an integer of at least 1, not 0.',
    details: [{ field: 'limit', issue: 'must be an integer of at least 1' }],
  },
  401: {
    description:
      'There is no API key, or one that is malformed, revoked or not of this installation. `type` is `key_expired` for a key that has expired.',
    type: 'unauthorized',
    message: 'An API key is needed: send it as "Authorization: Bearer <API key>".',
  },
  403: {
    description: 'The key or the role of its user does not allow this.',
    type: 'forbidden',
    message: 'Your key or role does not allow files:write; ask an administrator for it.',
  },
  404: {
    description:
      'The record does not exist, is deleted, or belongs to another account; which of them is not told.',
    type: 'not_found',
    message: 'Project 5 does not exist.',
  },
  409: {
    description:
      'In conflict with the present state of the record, or the `Idempotency-Key` was used for another request or is being worked on.',
    type: 'conflict',
    message: 'Project 3 is live; stop the stream first.',
  },
  412: {
    description:
      'The record has changed since the version that `If-Match` names; of tus: another version than 1.0.0 was asked for.',
    type: 'stale',
    message: 'The record has changed since the version that If-Match names; read it again.',
  },
  413: {
    description:
      'The body is larger than what is allowed; or `type` is `quota_exceeded`, and the project has no room for it.',
    type: 'too_large',
    message: 'The body is larger than 1 MiB, the limit for JSON.',
  },
  415: {
    description: 'The body of a tus request is not of the type application/offset+octet-stream.',
    type: 'unsupported_media_type',
    message: 'The body of a tus request has the Content-Type application/offset+octet-stream.',
  },
  429: {
    description:
      'Too many requests of this key in a minute, or too many streams; `Retry-After` says when to come back.',
    type: 'rate_limited',
    message: 'This API key or user has made its 600 reads of this minute; go on in 21 s.',
  },
  460: {
    description: 'The bytes do not have the checksum that Upload-Checksum says; they were dropped.',
    type: 'invalid',
    message:
      'The bytes of this request do not have the sha256 that Upload-Checksum says; they were dropped, send them again.',
  },
  500: {
    description: 'Something went wrong on our side.',
    type: 'internal',
    message: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  },
  503: {
    description:
      'The server is starting, stopping, or cannot reach what it depends on; `Retry-After` says when to try again.',
    type: 'unavailable',
    message: 'The database cannot be reached just now; try again.',
  },
  507: {
    description: 'The storage is full.',
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
