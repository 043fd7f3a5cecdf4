import type { Database } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import { parseContentRange } from './content-range.ts'
import { finishUpload, receivedBytes, type UploadDependencies } from './finish-upload.ts'
import type { UploadLocks } from './upload-locks.ts'
import { extendUpload, reloadUpload, type UploadRow } from './upload-store.ts'

export interface ReceiveDependencies extends UploadDependencies {
  readonly database: Database
  readonly locks: UploadLocks
  readonly maxSizeBytes: number
  readonly expiryMs: number
}

export interface UploadBody {
  readonly stream: AsyncIterable<Buffer>
  readonly contentLength: number | null
  readonly contentRange: string | null
  /** Makes the sender's stream end, when another request takes the upload over. */
  readonly cancel: () => void
}

export interface UploadProgress {
  /** Bytes that are safe: where to go on. */
  readonly offset: number
  readonly sizeBytes: number | null
  readonly isComplete: boolean
}

interface Plan {
  readonly offset: number
  readonly skipBytes: number
  /** Bytes that the upload has after this body, when the sender said so. */
  readonly end: number | null
  readonly sizeBytes: number | null
}

const offsetConflict = (offset: number): Problem =>
  new Problem('conflict', `The upload has ${offset} bytes; go on from there.`, {
    headers: { 'Upload-Offset': String(offset) },
  })

/** Decides from the headers alone where the body belongs; null when it has nothing new. Pure. */
export const planBody = (
  upload: Pick<UploadRow, 'size_bytes'>,
  received: number,
  body: Pick<UploadBody, 'contentLength' | 'contentRange'>,
): Plan | null => {
  if (body.contentRange === null) {
    if (upload.size_bytes !== null && body.contentLength !== null && body.contentLength !== upload.size_bytes)
      throw new Problem(
        'invalid',
        `The body has ${body.contentLength} bytes, but FileSize said ${upload.size_bytes}. Send it whole, or in parts with Content-Range.`,
      )
    const sizeBytes = upload.size_bytes ?? body.contentLength
    return { offset: 0, skipBytes: 0, end: sizeBytes, sizeBytes }
  }
  const { first, last, total } = parseContentRange(body.contentRange)
  if (upload.size_bytes !== null && total !== null && total !== upload.size_bytes)
    throw new Problem(
      'invalid',
      `Content-Range says ${total} bytes in all, but the upload has ${upload.size_bytes}.`,
    )
  const sizeBytes = upload.size_bytes ?? total
  if (first === null || last === null) return null
  if (sizeBytes !== null && last >= sizeBytes)
    throw new Problem('invalid', `Content-Range reaches past the upload's ${sizeBytes} bytes.`)
  if (body.contentLength !== null && body.contentLength !== last - first + 1)
    throw new Problem(
      'invalid',
      `Content-Range names ${last - first + 1} bytes, but the body has ${body.contentLength}.`,
    )
  if (first > received) throw offsetConflict(received)
  // The same chunk twice is harmless: what is there already is passed over.
  if (last < received) return null
  return { offset: received, skipBytes: received - first, end: last + 1, sizeBytes }
}

const progressOf = (upload: UploadRow, offset: number): UploadProgress => ({
  offset,
  sizeBytes: upload.size_bytes,
  isComplete: upload.completed_at !== null,
})

/**
 * How far an upload is. One that has all its bytes is finished here when a crash kept the last PUT from doing so: its sender reads from the
 * offset that nothing is left to send, and would never come back.
 */
export const uploadProgress = async (
  dependencies: ReceiveDependencies,
  upload: UploadRow,
): Promise<UploadProgress> => {
  if (upload.completed_at !== null) return progressOf(upload, upload.size_bytes ?? 0)
  const received = await receivedBytes(dependencies, upload)
  if (upload.size_bytes === null || received < upload.size_bytes) return progressOf(upload, received)
  return dependencies.locks.afterLock(upload.staging_name, async () =>
    finishWhenWhole(dependencies, upload, await receivedBytes(dependencies, upload), upload.size_bytes),
  )
}

/**
 * Takes the body of one PUT: whole, or one `Content-Range` chunk. Every byte of an answered request is synced to disk; one that breaks
 * off keeps what has arrived. The last byte finishes the upload.
 */
export const receiveUpload = async (
  dependencies: ReceiveDependencies,
  known: UploadRow,
  body: UploadBody,
): Promise<UploadProgress> =>
  dependencies.locks.withLock(known.staging_name, async (signal) => {
    // Read anew: whoever had the lock before may have finished the upload, whose source must not be written again.
    const upload = await reloadUpload(dependencies.database.kysely, known)
    if (upload.completed_at !== null) return uploadProgress(dependencies, upload)
    // A third request came while this one waited for its turn: its sender is gone.
    if (signal.aborted) throw new Problem('conflict', 'A later request goes on with this upload.')
    signal.addEventListener('abort', body.cancel, { once: true })
    const received = await receivedBytes(dependencies, upload)
    const plan = planBody(upload, received, body)
    if (plan === null)
      return finishWhenWhole(dependencies, upload, received, upload.size_bytes ?? totalOf(body))
    if (plan.sizeBytes !== null && plan.sizeBytes > dependencies.maxSizeBytes)
      throw new Problem('too_large', `An upload may have ${dependencies.maxSizeBytes} bytes at most.`)
    const extend = (sizeBytes: number | null): Promise<void> =>
      extendUpload(dependencies.database.kysely, upload, {
        expiresAt: new Date(Date.now() + dependencies.expiryMs),
        sizeBytes,
      })
    await extend(upload.size_bytes)
    const result = await whileExtending(
      () => extend(upload.size_bytes),
      dependencies.expiryMs / 4,
      dependencies.staging.append(upload.staging_name, body.stream, {
        offset: plan.offset,
        skipBytes: plan.skipBytes,
        maxSizeBytes: plan.end ?? dependencies.maxSizeBytes,
      }),
    )
    // Without any stated length, the end of a body that arrived whole is the end of the upload.
    const sizeBytes =
      plan.sizeBytes ?? (body.contentRange === null && result.isWhole ? result.sizeBytes : null)
    await extend(sizeBytes === 0 ? null : sizeBytes)
    if (!result.isWhole)
      throw new Problem('timeout', 'The connection broke off; ask for the offset and go on from there.')
    return finishWhenWhole(dependencies, upload, result.sizeBytes, sizeBytes)
  })

/** What `bytes *\/5242880` says of an upload whose size nobody knew before. */
const totalOf = ({ contentRange }: UploadBody): number | null =>
  contentRange === null ? null : parseContentRange(contentRange).total

/** A body may take longer than an upload may rest: its expiry moves on while bytes arrive. */
const whileExtending = async <T>(
  extend: () => Promise<void>,
  everyMs: number,
  work: Promise<T>,
): Promise<T> => {
  const timer = setInterval(() => {
    // The next one, or the end of the body, makes up for one that fails.
    extend().catch(() => {})
  }, everyMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

const finishWhenWhole = async (
  dependencies: ReceiveDependencies,
  upload: UploadRow,
  received: number,
  sizeBytes: number | null,
): Promise<UploadProgress> => {
  if (sizeBytes === 0)
    throw new Problem('invalid', 'The body is empty; send the bytes of a video or audio file.')
  if (sizeBytes === null || received < sizeBytes) return { offset: received, sizeBytes, isComplete: false }
  await finishUpload(dependencies, upload)
  return { offset: received, sizeBytes, isComplete: true }
}
