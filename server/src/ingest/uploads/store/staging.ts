import type { Tx } from '../../../platform/db/database.ts'

/** UUIDs, as the database makes them. */
export const isStagingName = (name: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name)

/** What a staging knows about bytes before the first of them. */
export interface StagedBytes {
  readonly name: string
  readonly accountId: number
  /** Key that the whole bytes get in the blob store. */
  readonly blob: string
  /** Null while the size is unknown. */
  readonly sizeBytes: number | null
  /** Whether `sha256` will be called. */
  readonly isHashed: boolean
}

export interface AppendOptions {
  readonly offset: number
  /** Number of first bytes of the body that are already staged. */
  readonly skipBytes?: number
  readonly maxSizeBytes: number
  /** Size of the whole upload, if it is known. */
  readonly sizeBytes?: number | null
  /** Called after the last byte. If it returns false, or the sender disconnects, no byte of the body is kept. */
  readonly isAccepted?: () => boolean
}

export interface AppendResult {
  readonly sizeBytes: number
  /** False when the sender disconnected before the end of its body. */
  readonly isWhole: boolean
  readonly isAccepted: boolean
}

/**
 * Bytes of in-progress uploads. Every implementation passes the tests in `staging.promises.ts`. Calls that
 * write run within `hold`, one at a time.
 */
export interface Staging {
  /** Whether a crash may leave bytes that `isAccepted` has not accepted; `truncate` drops them. */
  readonly mayKeepUnverified: boolean
  /**
   * Runs `work` as the only writer of these bytes, on any node. `onWanted` asks the running work to end soon,
   * because another request waits. Throws 'upload_on_other_node' when the other writer does not end.
   */
  readonly hold: <T>(bytes: StagedBytes, onWanted: () => void, work: () => Promise<T>) => Promise<T>
  /** Number of durable bytes. Null when there are none, and none have been moved away. */
  readonly sizeOf: (name: string) => Promise<number | null>
  /**
   * Skips the first `skipBytes` of the body and appends the rest at `offset`, which is `sizeOf`, or 0 to start
   * over. The bytes are durable when the promise resolves. Ends early without an error when the sender
   * disconnects. Throws 'too_large' past `maxSizeBytes`, 'storage_full', and 'upload_taken_over' when another
   * writer has taken the bytes over. The chunks of the body can be empty afterwards.
   */
  readonly append: (
    name: string,
    body: AsyncIterable<Buffer>,
    options: AppendOptions,
  ) => Promise<AppendResult>
  /** Drops unverified bytes that a crash has left after `sizeBytes`. */
  readonly truncate: (name: string, sizeBytes: number) => Promise<void>
  /** In hex. */
  readonly sha256: (name: string) => Promise<string>
  /** Appends the bytes of other staged uploads of the same staging, which stay. */
  readonly join: (name: string, parts: readonly StagedBytes[], maxSizeBytes: number) => Promise<void>
  /** Makes the blob. A caller may repeat it after a crash. */
  readonly moveToBlob: (bytes: StagedBytes) => Promise<{ sizeBytes: number }>
  /**
   * Called in the transaction that records the blob: fails, and so the transaction, when another writer has
   * taken the bytes over.
   */
  readonly settle: (tx: Tx, name: string) => Promise<void>
  /** Succeeds also without bytes. A writer that still runs fails. */
  readonly remove: (name: string) => Promise<void>
}

export const isSenderGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ABORT_ERR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )
