import { invalidField, Problem } from '../../base/problem.ts'
import { errorBody } from '../../base/error-body.ts'

interface ErrorDescription {
  readonly description: string
  readonly example: Problem
}

const requestId = '0f6c7a1e-3f0e-4c39-9d0e-5a5b0c1f7d21'

export const errorDescriptions: Readonly<Record<number, ErrorDescription>> = {
  400: {
    description:
      'The request is invalid: malformed JSON, a wrong type, or a value that is not allowed. `details` names the fields.',
    example: invalidField('limit', 'invalid_integer', { min: 1, value: '0' }),
  },
  401: {
    description:
      'The API key is missing, malformed, revoked, or from another installation. If it has expired, `type` is `key_expired`.',
    example: new Problem('authentication_required'),
  },
  403: {
    description: 'The API key, or the role of its user, does not allow this request.',
    example: new Problem('permission_missing', { permission: 'files:write' }),
  },
  404: {
    description:
      'The record does not exist, is deleted, or belongs to another account. The response does not say which.',
    example: new Problem('project_not_found', { projectId: 5 }),
  },
  409: {
    description:
      'The request conflicts with the current state of the record. Or the `Idempotency-Key` was used for another request, or for one that is still running.',
    example: new Problem('project_live', { projectId: 3 }),
  },
  412: {
    description:
      'The record has changed since the version in `If-Match`. For tus: the requested version is not 1.0.0.',
    example: new Problem('record_changed'),
  },
  413: {
    description:
      'The body is too large. If `type` is `quota_exceeded`, the storage quota of the project is used up.',
    example: new Problem('json_too_large', { limit: '1 MiB' }),
  },
  415: {
    description: 'The `Content-Type` of the tus request is not `application/offset+octet-stream`.',
    example: new Problem('tus_body_type', { type: 'application/offset+octet-stream' }),
  },
  429: {
    description:
      'Too many requests in this minute, or too many open event streams. Wait as long as `Retry-After` says.',
    example: new Problem('rate_limit_exceeded', { limit: 600, kind: 'reads', seconds: 21 }),
  },
  460: {
    description: 'The bytes do not match `Upload-Checksum` and were discarded. Send them again.',
    example: new Problem('chunk_checksum_mismatch', { algorithm: 'sha256' }),
  },
  500: {
    description: 'Internal server error.',
    example: new Problem('internal_error'),
  },
  503: {
    description:
      'The server is starting or stopping, or cannot reach a service that it depends on. Wait as long as `Retry-After` says.',
    example: new Problem('database_unavailable'),
  },
  507: {
    description: 'The storage of the server is full.',
    example: new Problem('upload_storage_full'),
  },
}

export const errorExample = (status: number): object | undefined => {
  const example = errorDescriptions[status]?.example
  return example === undefined ? undefined : errorBody(example, requestId, status)
}
