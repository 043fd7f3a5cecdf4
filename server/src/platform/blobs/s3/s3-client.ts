import { createHash } from 'node:crypto'
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { BlobNotFoundError, BlobStoreUnavailableError, StorageFullError } from '../blob-store.ts'

export interface S3Settings {
  readonly bucket: string
  /** Empty or absent: the endpoint of Amazon S3. */
  readonly endpoint?: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Puts the bucket into the path instead of the host name. Defaults to true when an endpoint is set. */
  readonly forcePathStyle?: boolean
}

/**
 * Serves many viewers and segments in parallel. With the SDK's default of 50 sockets, short writes wait for
 * long downloads.
 */
const maxSockets = 256

export const createS3Client = (settings: S3Settings): S3Client => {
  const hasEndpoint = settings.endpoint !== undefined && settings.endpoint !== ''
  const client = new S3Client({
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: settings.forcePathStyle ?? hasEndpoint,
    ...(hasEndpoint && { endpoint: settings.endpoint }),
    // Many S3-compatible stores do not support checksum trailers. The signature covers the SHA-256 of each
    // body anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 60_000,
      // For the reads that name a limit (see `answerWithinMs` of the blob store).
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets, keepAlive: true },
      httpsAgent: { maxSockets, keepAlive: true },
    },
  })
  // S3 API, DeleteObjects: a checksum is required. Every S3-compatible store supports Content-MD5.
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const request = args.request
      if (context['commandName'] === 'DeleteObjectsCommand' && isHttpRequestWithText(request))
        request.headers['Content-MD5'] = createHash('md5').update(request.body).digest('base64')
      return await next(args)
    },
    { step: 'build', name: 'deleteObjectsContentMd5' },
  )
  return client
}

interface HttpRequestWithText {
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
}

const isHttpRequestWithText = (request: unknown): request is HttpRequestWithText =>
  typeof request === 'object' &&
  request !== null &&
  'headers' in request &&
  'body' in request &&
  (typeof request.body === 'string' || request.body instanceof Uint8Array)

/** Error names of Amazon, Ceph and MinIO; the status 507 means the same. */
const fullNames: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'QuotaExceededException',
  'XMinioAdminBucketQuotaExceeded',
  'XMinioStorageFull',
])

interface AnswerMetadata {
  readonly httpStatusCode?: number
  readonly requestId?: string
}

/** Undefined for an error without an answer. If the body is not XML, the parser throws an `Error` with this field. */
const metadataOf = (error: unknown): AnswerMetadata | undefined =>
  error instanceof Error && '$metadata' in error ? (error.$metadata as AnswerMetadata) : undefined

const statusOfError = (error: unknown): number | undefined => metadataOf(error)?.httpStatusCode

/** Codes of the store for a missing object, and for a multipart upload that was completed or aborted. */
const missingCodes: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchUpload'])

/**
 * Whether the store says that the object or the multipart upload is missing. Proxies answer 404, too, while they
 * have no route to the store, but without a code of S3 or a request id.
 */
export const isMissingObject = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  (missingCodes.has(error.name) || (isUnexplained404(error) && metadataOf(error)?.requestId !== undefined))

/** A 404 without a code: that of a HEAD request, which has no body, or of a proxy. */
export const isUnexplained404 = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  statusOfError(error) === 404 &&
  error.name !== 'NoSuchBucket' &&
  !missingCodes.has(error.name)

/** RFC 9110 15.5.17: the range starts after the last byte. */
export const isRangeBehindEnd = (error: unknown): boolean =>
  error instanceof S3ServiceException && statusOfError(error) === 416

/** The store does not implement the operation. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  (error.name === 'NotImplemented' ||
    error.name === 'MethodNotAllowed' ||
    statusOfError(error) === 501 ||
    statusOfError(error) === 405)

/** Maps errors of the SDK to the errors of `BlobStore`; returns any other error unchanged. */
export const toS3Error = (error: unknown, key: string): unknown => {
  if (isMissingObject(error)) return new BlobNotFoundError(key)
  if (error instanceof S3ServiceException) {
    if (fullNames.has(error.name) || statusOfError(error) === 507) return new StorageFullError(error)
    return new BlobStoreUnavailableError(sentenceOf(error), error)
  }
  const status = statusOfError(error)
  if (status !== undefined)
    return new BlobStoreUnavailableError(
      `The S3 store, or a proxy in front of it, answers ${status} with a body that is not XML.`,
      error,
    )
  if (isConnectionError(error))
    return new BlobStoreUnavailableError(
      'The S3 store does not respond. Check S3_ENDPOINT and the network.',
      error,
    )
  return error
}

const sentenceOf = (error: S3ServiceException): string => {
  if (error.name === 'NoSuchBucket') return 'The S3 bucket does not exist: check S3_BUCKET.'
  const status = statusOfError(error)
  if (status === 401 || status === 403)
    return `The S3 store refuses the credentials (${error.name}): check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and their permissions.`
  return `The S3 store failed (${error.name}).`
}

const connectionCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || ('code' in error && connectionCodes.has(error.code)))
