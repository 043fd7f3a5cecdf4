import { pauseAfter, unlessAborted } from './backoff.ts'
import { ApiError, apiErrorOf, ConnectionError, NotFoundError } from './errors.ts'
import type { HttpClient } from './http-client.ts'
import type { UploadSource } from './upload-source.ts'

/**
 * Small enough to lose little when a connection breaks, large enough that the overhead of a request does not
 * matter.
 */
export const defaultPartBytes = 16 * 1024 * 1024
/** Failed attempts in a row without progress. */
const maxFailures = 8

export interface UploadProgress {
  /** Bytes that the server has stored. */
  readonly sentBytes: number
  /** Null for a stream until it ends. */
  readonly totalBytes: number | null
}

/** Data to resume an upload, also in another process. Keep it secret, because the URL is the credential. */
export interface ResumeInfo {
  readonly fileId: number
  readonly uploadUri: string
}

/**
 * Sends a request and throws ConnectionError when it fails, because browsers report a lost connection as a bare
 * TypeError. No message contains the URL, which is a credential.
 */
const ask = async (
  http: HttpClient,
  uri: string,
  init: Omit<RequestInit, 'signal'>,
  signal?: AbortSignal,
): Promise<Response> => {
  try {
    return await http.fetch(uri, { ...init, ...(signal && { signal }) })
  } catch (error) {
    signal?.throwIfAborted()
    throw new ConnectionError('cannot reach the server during the upload', { cause: error })
  }
}

/** Returns the number of bytes that the server has stored, from `Upload-Offset` of a HEAD response. */
const offsetOnServer = async (http: HttpClient, uri: string, signal?: AbortSignal): Promise<number> => {
  const response = await ask(http, uri, { method: 'HEAD' }, signal)
  if (response.status === 404)
    throw new NotFoundError({
      status: 404,
      message: 'The upload does not exist or has expired. Start a new one.',
      type: 'not_found',
      reason: 'upload_not_found',
      params: {},
      details: [],
      requestId: response.headers.get('x-request-id'),
      retryAfterSeconds: null,
    })
  if (!response.ok) throw await apiErrorOf(response)
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (!Number.isSafeInteger(offset)) throw new ConnectionError('the server did not return the upload offset')
  return offset
}

const putPart = async (
  http: HttpClient,
  uri: string,
  part: { bytes: Blob | Uint8Array; range: string | null },
  signal?: AbortSignal,
): Promise<void> => {
  const headers = {
    'Content-Type': 'application/octet-stream',
    ...(part.range === null ? {} : { 'Content-Range': part.range }),
  }
  const response = await ask(http, uri, { method: 'PUT', headers, body: part.bytes as BodyInit }, signal)
  if (!response.ok) throw await apiErrorOf(response)
  // The status is final even if the rest of the response is lost.
  await response.arrayBuffer().catch(() => null)
}

const sizeOf = (bytes: Blob | Uint8Array): number => (bytes instanceof Blob ? bytes.size : bytes.length)

/** Whether a retry cannot help. 409 can be retried: the server has another offset. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && ![408, 409, 429].includes(error.status)

/**
 * Sends a source to its upload URL in parts (RFC 9110 14.5, `Content-Range` on PUT). After a lost connection or
 * a server restart it resumes at the offset of the server.
 */
export const sendParts = async (
  http: HttpClient,
  source: UploadSource,
  uri: string,
  options: {
    readonly isResumed: boolean
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: UploadProgress) => void
    readonly onRetry?: (error: unknown) => void
  },
): Promise<void> => {
  const { signal, onProgress, onRetry } = options
  let offset = options.isResumed ? await offsetOnServer(http, uri, signal) : 0
  let failures = 0
  for (;;) {
    const { bytes, isLast } = await unlessAborted(source.read(offset), signal)
    const end = offset + sizeOf(bytes)
    const totalBytes = source.sizeBytes ?? (isLast ? end : null)
    if (totalBytes === 0) throw new TypeError('the source is empty: there is nothing to upload')
    if (totalBytes !== null && offset > totalBytes)
      throw new TypeError(`the server has ${offset} bytes of this upload, more than the source contains`)
    const isWhole = offset === 0 && isLast
    // A resumed upload may be complete already; the HEAD request then finished it.
    if (end === offset) return
    try {
      await putPart(
        http,
        uri,
        { bytes, range: isWhole ? null : `bytes ${offset}-${end - 1}/${totalBytes ?? '*'}` },
        signal,
      )
      offset = end
      failures = 0
      onProgress?.({ sentBytes: offset, totalBytes })
      if (isLast) return
    } catch (error) {
      signal?.throwIfAborted()
      failures += 1
      if (failures === maxFailures || isFinal(error)) throw error
      onRetry?.(error)
      await pauseAfter(error, failures - 1, signal)
      const reached = await offsetOnServer(http, uri, signal).catch((cause: unknown) => {
        signal?.throwIfAborted()
        if (isFinal(cause)) throw cause
        return offset
      })
      if (reached > offset) failures = 0
      offset = reached
    }
  }
}
