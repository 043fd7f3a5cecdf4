import { createHash } from 'node:crypto'
import { Problem } from '../../../platform/base/problem.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { AppendResult } from '../store/staging.ts'

export interface BodyChecksum {
  readonly algorithm: 'sha1' | 'sha256'
  readonly digest: Buffer
}

export interface IncomingBody {
  readonly stream: AsyncIterable<Buffer>
  readonly checksum: BodyChecksum | null
  /** Ends the sender's stream when another request takes the upload over. */
  readonly cancel: () => void
  readonly isOver: () => boolean
}

export interface PlannedAppend {
  readonly offset: number
  readonly skipBytes: number
  /** Upper limit of the offset after this body, if the sender announced it. */
  readonly end: number | null
  readonly sizeBytes: number | null
  /** Without a known size, the end of this body is the end of the upload. */
  readonly isLast: boolean
  readonly isNothingNew?: never
}

export const appendBody = async (
  { maxSizeBytes, expiryMs }: { readonly maxSizeBytes: number; readonly expiryMs: number },
  bytes: ResumableUpload,
  { stream, checksum }: IncomingBody,
  { offset, skipBytes, end, sizeBytes }: PlannedAppend,
): Promise<AppendResult> => {
  const { stagingName } = bytes
  const staging = bytes.staging()
  const options = { offset, skipBytes, maxSizeBytes: end ?? maxSizeBytes, sizeBytes }
  const write = (body: AsyncIterable<Buffer>, isAccepted?: () => boolean): Promise<AppendResult> =>
    whileExtending(
      () => bytes.extend({}),
      expiryMs / 4,
      staging.append(stagingName, body, { ...options, ...(isAccepted && { isAccepted }) }),
    )
  if (checksum === null) {
    // Truncates unverified bytes of a crash before clearing their mark.
    await staging.truncate(stagingName, offset)
    await bytes.extend({ uncheckedAfter: null })
    return write(stream)
  }
  // After a crash, unverified bytes must not count. Elsewhere the mark would hide verified bytes.
  if (staging.mayKeepUnverified) await bytes.extend({ uncheckedAfter: offset })
  const hash = createHash(checksum.algorithm)
  try {
    const result = await write(passThrough(stream, hash), () => hash.digest().equals(checksum.digest))
    if (result.isAccepted || !result.isWhole) return result
    throw new Problem('chunk_checksum_mismatch', { algorithm: checksum.algorithm }, { status: 460 })
  } catch (error) {
    await bytes.extend({ uncheckedAfter: null })
    throw error
  }
}

async function* passThrough(
  stream: AsyncIterable<Buffer>,
  hash: { readonly update: (chunk: Buffer) => unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    hash.update(chunk)
    yield chunk
  }
}

/**
 * Extends the expiry while bytes arrive, because a body may take longer than the expiry of an idle upload.
 */
const whileExtending = async <T>(
  extend: () => Promise<void>,
  everyMs: number,
  work: Promise<T>,
): Promise<T> => {
  const timer = setInterval(() => {
    // The next extension, or the one at the end of the body, makes up for a failed one.
    extend().catch(() => {})
  }, everyMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
