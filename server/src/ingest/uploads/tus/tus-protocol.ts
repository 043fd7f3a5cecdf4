import type { FastifyRequest } from 'fastify'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import type { BodyChecksum } from '../receive/append-body.ts'

/*
 * tus 1.0.0 (tus.io/protocols/resumable-upload) on the same store as other uploads: the core protocol and the
 * extensions below. Quotations in this folder are from that text.
 */

export const tusVersion = '1.0.0'
const checksumAlgorithms = ['sha1', 'sha256'] as const

/**
 * Headers of OPTIONS. "The Client SHOULD NOT include the Tus-Resumable header in the request and the Server
 * MUST ignore the header."
 */
export const tusCapabilities = (maxSizeBytes: number): Record<string, string> => ({
  'Tus-Resumable': tusVersion,
  'Tus-Version': tusVersion,
  'Tus-Max-Size': String(maxSizeBytes),
  'Tus-Extension':
    'creation,creation-with-upload,creation-defer-length,expiration,checksum,termination,concatenation',
  'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
})

export const headerOf = ({ headers }: FastifyRequest, name: string): string | null => {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

/** "If the version specified by the Client is not supported by the Server, it MUST respond with the 412 … and MUST include Tus-Version." */
export const checkTusVersion = (request: FastifyRequest): void => {
  const version = headerOf(request, 'tus-resumable')
  if (version === tusVersion) return
  const options = { status: 412, headers: { 'Tus-Version': tusVersion } } as const
  throw version === null
    ? new Problem('tus_version_missing', { version: tusVersion }, options)
    : new Problem('tus_version_not_supported', { sent: version.slice(0, 40), version: tusVersion }, options)
}

export const bodyType = 'application/offset+octet-stream'

/** "All PATCH requests MUST use Content-Type: application/offset+octet-stream, otherwise the server SHOULD return a 415." */
export const hasTusBody = (request: FastifyRequest): boolean =>
  headerOf(request, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() === bodyType

export const wrongBodyType = (): Problem => new Problem('tus_body_type', { type: bodyType }, { status: 415 })

/** Returns a header whose "value MUST be a non-negative integer", however large; null when it is absent. */
export const integerHeader = (request: FastifyRequest, name: string): number | null => {
  const value = headerOf(request, name.toLowerCase())
  if (value === null) return null
  if (!/^\d+$/.test(value)) throw invalidField(name, 'not_byte_count', { value: value.slice(0, 40) })
  return Number(value)
}

export const contentLengthOf = (request: FastifyRequest): number | null => {
  const value = headerOf(request, 'content-length')
  return value === null ? null : Number(value)
}

/**
 * Upload-Checksum: the algorithm, a space and the digest in base64. "400 Bad Request if the checksum
 * algorithm is not supported."
 */
export const checksumOf = (request: FastifyRequest): BodyChecksum | null => {
  const value = headerOf(request, 'upload-checksum')
  if (value === null) return null
  const [name = '', encoded = ''] = value.split(' ')
  const algorithm = checksumAlgorithms.find((one) => one === name.toLowerCase())
  const digest = decodeBase64(encoded)
  if (algorithm === undefined || digest?.length !== { sha1: 20, sha256: 32 }[algorithm])
    throw invalidField('Upload-Checksum', 'upload_checksum_malformed', {
      algorithms: checksumAlgorithms.join(' or '),
    })
  return { algorithm, digest }
}

/** Returns null for invalid base64; Buffer would ignore invalid characters. */
export const decodeBase64 = (text: string): Buffer | null => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) return null
  return Buffer.from(text, 'base64')
}

/** "X-HTTP-Method-Override MUST be interpreted as the request's method by the Server … The actual method of the request MUST be ignored." */
export const methodOf = (request: FastifyRequest): string =>
  (headerOf(request, 'x-http-method-override') ?? request.method).toUpperCase()

/** Formats a date by RFC 9110 5.6.7, as "Upload-Expires" requires. */
export const httpDate = (date: Date): string => date.toUTCString()
