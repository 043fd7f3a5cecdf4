import { createHash } from 'node:crypto'
import { Problem } from '../../../platform/base/problem.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import type { AppendResult, Staging } from '../store/staging.ts'

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
  {
    staging,
    maxSizeBytes,
    expiryMs,
  }: { readonly staging: Staging; readonly maxSizeBytes: number; readonly expiryMs: number },
  bytes: ResumableUpload,
  { stream, checksum }: IncomingBody,
  { offset, skipBytes, end }: PlannedAppend,
): Promise<AppendResult> => {
  const { stagingName } = bytes
  const write = (body: AsyncIterable<Buffer>): Promise<AppendResult> =>
    whileExtending(
      () => bytes.extend({}),
      expiryMs / 4,
      staging.append(stagingName, body, { offset, skipBytes, maxSizeBytes: end ?? maxSizeBytes }),
    )
  if (checksum === null) {
    // Truncates unverified bytes of a crash before clearing their mark.
    await staging.truncate(stagingName, offset)
    await bytes.extend({ uncheckedAfter: null })
    return write(stream)
  }
  // After a crash, unverified bytes must not count.
  await bytes.extend({ uncheckedAfter: offset })
  const hash = createHash(checksum.algorithm)
  const drop = async (): Promise<void> => {
    await staging.truncate(stagingName, offset)
    await bytes.extend({ uncheckedAfter: null })
  }
  const result = await write(passThrough(stream, hash)).catch(async (error: unknown) => {
    await drop()
    throw error
  })
  if (result.isWhole && hash.digest().equals(checksum.digest)) return result
  await drop()
  if (!result.isWhole) return { sizeBytes: offset, isWhole: false }
  throw new Problem('chunk_checksum_mismatch', { algorithm: checksum.algorithm }, { status: 460 })
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
