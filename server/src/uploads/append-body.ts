import { createHash } from 'node:crypto'
import { Problem } from '../kernel/problem.ts'
import type { GrowingBytes } from './growing-bytes.ts'
import type { AppendResult, Staging } from './staging.ts'

/** What the bytes of one body must hash to. */
export interface BodyChecksum {
  readonly algorithm: 'sha1' | 'sha256'
  readonly digest: Buffer
}

export interface IncomingBody {
  readonly stream: AsyncIterable<Buffer>
  readonly checksum: BodyChecksum | null
  /** Makes the sender's stream end, when another request takes the upload over. */
  readonly cancel: () => void
  /** Whether the stream is over, whole or not. */
  readonly isOver: () => boolean
}

export interface PlannedAppend {
  readonly offset: number
  readonly skipBytes: number
  /** Bytes that there are after this body at most, when the sender said so. */
  readonly end: number | null
  readonly sizeBytes: number | null
  /** The end of this body is the end of all, where no length was told. */
  readonly isLast: boolean
  readonly isNothingNew?: never
}

/** Writes one body behind what is here, and holds it against its checksum when there is one. */
export const appendBody = async (
  {
    staging,
    maxSizeBytes,
    expiryMs,
  }: { readonly staging: Staging; readonly maxSizeBytes: number; readonly expiryMs: number },
  bytes: GrowingBytes,
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
    // First what a crash left unchecked goes, then it is forgotten that there was something.
    await staging.truncate(stagingName, offset)
    await bytes.extend({ uncheckedAfter: null })
    return write(stream)
  }
  // A crash must not make bytes count that nobody has checked.
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
  throw new Problem(
    'invalid',
    `The bytes of this request do not have the ${checksum.algorithm} that Upload-Checksum says; they were dropped, send them again.`,
    { status: 460 },
  )
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
