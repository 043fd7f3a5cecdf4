import type { FastifySchema } from 'fastify'
import { Type } from 'typebox'
import { errorResponses, tags } from '../../../platform/http/openapi/openapi.ts'
import { binarySchema, streamedBody } from '../../../platform/http/requests/streamed-body.ts'
import { tusVersion } from './tus-protocol.ts'

const maxBytes = Number.MAX_SAFE_INTEGER

const byteCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: maxBytes, format: 'int64', description })
const text = (description: string, maxLength: number, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

/** Path of an upload URL. */
export const uploadParams = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'The secret of the upload URL. Use the URL as it is in `Upload.URI` or `Upload.TusURI` of the file.',
  }),
})

const tusResumable = {
  'Tus-Resumable': Type.Optional(
    Type.String({ maxLength: 20, description: `The tus version, ${tusVersion}.`, examples: [tusVersion] }),
  ),
}

export const tusCreationHeaders = Type.Object({
  ...tusResumable,
  'Upload-Length': Type.Optional(text('Size of the file in bytes.', 16, '5242880')),
  'Upload-Defer-Length': Type.Optional(
    text('1 if the size is not known yet. Send `Upload-Length` with a later PATCH.', 1, '1'),
  ),
  'Upload-Metadata': Type.Optional(
    text('Comma-separated pairs of a key and a base64 value.', 16_384, 'filename aW50ZXJ2aWV3Lm1wNA=='),
  ),
  'Upload-Concat': Type.Optional(
    text('`partial` for an upload part, or `final;` and the URLs of the parts to join.', 16_384, 'partial'),
  ),
})

const offset = byteCount('Number of stored bytes. The next chunk starts here.')
const length = byteCount('Size of the upload in bytes. Absent if it is not known yet.')
const expires = text('Time at which the unfinished upload is deleted.', 40, 'Sun, 01 Mar 2026 12:00:00 GMT')

/** The URL is the credential, so no request is refused for a missing API key. */
const errors = (...statuses: Parameters<typeof errorResponses>): Record<number, object> => {
  const { 401: _unauthorized, 403: forbidden, ...others } = errorResponses(...statuses)
  return statuses.includes(403) && forbidden !== undefined ? { ...others, 403: forbidden } : others
}

const common = { tags: [tags.files], security: [], params: uploadParams }

const progressSchema = Type.Object(
  {
    Offset: offset,
    Size: Type.Union([byteCount('Size in bytes.'), Type.Null()], {
      description: 'Size of the upload in bytes. Null if it is not known yet.',
    }),
    IsComplete: Type.Boolean({ description: 'Whether all bytes are stored and processing has begun.' }),
  },
  { examples: [{ Offset: 1_048_576, Size: 5_242_880, IsComplete: false }] },
)

/**
 * Describes the methods of an upload URL in openapi.json. No schema validates their bodies, which are
 * streams.
 */
export const uploadOperations = {
  PUT: {
    ...common,
    operationId: 'uploadBytes',
    summary: 'Upload bytes',
    description:
      'Sends the whole file, or with `Content-Range` one chunk of it. Send chunks in order; repeating a chunk has no effect. `Content-Range: bytes */5242880` with an empty body returns the offset. Processing starts after the last byte. The URL is the credential: do not send an API key.',
    headers: Type.Object({
      'Content-Range': Type.Optional(
        text(
          'Position of the chunk in the file. Send `*` instead of the size if it is not known yet.',
          80,
          'bytes 0-1048575/5242880',
        ),
      ),
    }),
    body: {
      content: {
        'application/octet-stream': {
          schema: streamedBody(
            binarySchema(maxBytes, 'The bytes of the file or chunk. Any Content-Type is accepted.'),
          ),
        },
      },
    },
    response: {
      200: {
        description: 'The bytes are stored.',
        headers: { 'Upload-Offset': offset, 'Upload-Length': length },
        content: { 'application/json': { schema: progressSchema } },
      },
      ...errors(404, 409, 413, 507),
    },
  },
  HEAD: {
    ...common,
    operationId: 'getUploadOffset',
    summary: 'Get the offset of an upload',
    description:
      'Returns the number of stored bytes in `Upload-Offset`. With `Tus-Resumable` the response follows tus, and a request that is still sending bytes to this URL is ended.',
    headers: Type.Object(tusResumable),
    response: {
      200: {
        description: 'The upload exists.',
        headers: {
          'Upload-Offset': offset,
          'Upload-Length': length,
          'Upload-Defer-Length': text('1 if the size is not known yet. Only for tus.', 1, '1'),
          'Upload-Metadata': text(
            'Metadata that the client sent with the creation. Only for tus.',
            16_384,
            'filename aW50ZXJ2aWV3Lm1wNA==',
          ),
          'Upload-Concat': text(
            'Whether the upload is a part or was joined from parts. Only for tus.',
            16_384,
            'partial',
          ),
          'Upload-Expires': expires,
        },
        type: 'null',
      },
      ...errors(404, 412),
    },
  },
  PATCH: {
    ...common,
    operationId: 'appendTusBytes',
    summary: 'Append bytes with tus',
    description:
      'Appends the body at `Upload-Offset` (tus 1.0). Processing starts after the last byte. A client that cannot send PATCH can send POST with `X-HTTP-Method-Override: PATCH`.',
    headers: Type.Object({
      ...tusResumable,
      'Upload-Offset': Type.Optional(text('Number of stored bytes, as HEAD returns it.', 16, '1048576')),
      'Upload-Length': Type.Optional(
        text('Size of the file in bytes, if the creation deferred it.', 16, '5242880'),
      ),
      'Upload-Checksum': Type.Optional(
        text(
          '`sha1` or `sha256`, a space, and the digest of the body in base64.',
          80,
          'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
        ),
      ),
    }),
    body: {
      content: {
        'application/offset+octet-stream': {
          schema: streamedBody(binarySchema(maxBytes, 'The bytes from the offset on.')),
        },
      },
    },
    response: {
      204: {
        description: 'The bytes are stored.',
        headers: { 'Upload-Offset': offset, 'Upload-Expires': expires },
        type: 'null',
      },
      ...errors(403, 404, 409, 412, 413, 415, 460, 507),
    },
  },
  DELETE: {
    ...common,
    operationId: 'deleteUpload',
    summary: 'Cancel an upload with tus',
    description: 'Deletes the unfinished upload and its bytes (tus extension termination).',
    headers: Type.Object(tusResumable),
    response: { 204: { description: 'The upload is deleted.', type: 'null' }, ...errors(403, 404, 409, 412) },
  },
  OPTIONS: {
    ...common,
    operationId: 'getTusCapabilities',
    summary: 'Get the tus version and extensions',
    description:
      'Returns the supported tus versions and extensions, and CORS headers: browsers may upload from any origin.',
    response: {
      204: {
        description: 'The capabilities.',
        headers: {
          'Tus-Version': text('The supported tus versions.', 40, tusVersion),
          'Tus-Extension': text('The supported tus extensions.', 200, 'creation,checksum,termination'),
          'Tus-Checksum-Algorithm': text('The supported checksum algorithms.', 40, 'sha1,sha256'),
          'Tus-Max-Size': byteCount('Largest size of an upload in bytes.'),
        },
        type: 'null',
      },
      ...errors(),
    },
  },
} satisfies Record<string, FastifySchema>
