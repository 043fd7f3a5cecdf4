import { setTimeout as delay } from 'node:timers/promises'
import { StorageFullError, type BlobStore } from '../../../../../platform/blobs/blob-store.ts'
import type { NewPiece, PieceList } from './recorded-pieces.ts'

export interface StoredRecordingOptions {
  readonly blobs: Pick<BlobStore, 'put' | 'delete'>
  /** Ends with '/'. No other owner of the stream writes below it. */
  readonly prefix: string
  readonly list: PieceList
  /** The start of the file, before its first fragment; null when an earlier owner has stored it. */
  readonly start: Promise<Buffer> | null
  readonly startOffset: number
  /** False when another node may have taken over long ago, and its successors deleted the pieces. */
  readonly mayWrite: () => boolean
  /** The recording cannot continue. Called at most once. */
  readonly onFault: (error: unknown) => void
  /** Aborts the writes that have not finished. */
  readonly signal: AbortSignal
}

export interface StoredRecording {
  readonly sizeBytes: () => number
  /** Returns at once. */
  readonly append: (fragment: readonly Buffer[]) => void
  /** Stores what was appended since the last call. `state` is what the next owner needs to continue here. */
  readonly endRound: (state: object) => void
  /** Resolves when everything is stored, or storing has failed. */
  readonly close: () => Promise<void>
}

interface Round {
  readonly heads: readonly Buffer[]
  readonly data: readonly Buffer[]
  readonly sizeBytes: number
  readonly state: object
}

/** S3 copies pieces of at least 5 MiB into the final blob by itself. */
const joinedBytes = 8 * 2 ** 20
/** Half a minute of 8 Mbit/s, or two of the largest rounds. */
const longestQueueBytes = 32 * 2 ** 20
const retryMs = 1_000
const listAgainMs = 200

const bytesOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0)

/**
 * Stores a recording as it is made: a blob for each round of segments, and later one for several. A crash of the
 * process loses only what has not been appended, and the round that is being stored.
 */
export const createStoredRecording = (options: StoredRecordingOptions): StoredRecording => {
  const { blobs, prefix, list, signal } = options
  let appended: { heads: Buffer[]; data: Buffer[] } = { heads: [], data: [] }
  let queue: Round[] = []
  let queuedBytes = 0
  let largestBytes = 0
  let sizeBytes = options.startOffset
  let nextOffset = options.startOffset
  let blobCount = 0
  /** Not stored yet. */
  let start: Buffer | null = null
  let hasEnded = false
  let isClosing = false
  let wake = (): void => {}
  /** Stored pieces whose rows the database does not have yet. */
  let unlisted: NewPiece[] = []
  /** Stored pieces that are to become one, with their bytes. */
  let small: { readonly piece: NewPiece; readonly rounds: readonly Round[] }[] = []

  const fail = (error: unknown): void => {
    if (hasEnded) return
    hasEnded = true
    queue = []
    small = []
    options.onFault(error)
    wake()
  }

  /** Waits for the next round, or until it is time to repeat what has failed. */
  const rest = async (ms: number | null): Promise<void> => {
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    if (ms === null) return woken
    await Promise.race([woken, delay(ms, null, { signal, ref: false }).catch(() => {})])
  }

  /** Repeats until the store accepts the blob. Returns false when the recording has ended meanwhile. */
  const put = async (blob: string, data: readonly Buffer[]): Promise<boolean> => {
    while (!hasEnded && !signal.aborted) {
      try {
        if (!options.mayWrite()) throw new Error('This node is cut off from the database.')
        await blobs.put(blob, data)
        return true
      } catch (error) {
        if (error instanceof StorageFullError) fail(error)
        else await delay(retryMs, null, { signal, ref: false }).catch(() => {})
      }
    }
    return false
  }

  /** Returns whether the database has all pieces. */
  const listAll = async (): Promise<boolean> => {
    if (unlisted.length === 0) return true
    const pieces = unlisted
    const outcome = await list.add(pieces)
    if (outcome === 'listed') unlisted = unlisted.slice(pieces.length)
    // Another node continues the recording.
    if (outcome === 'lost') hasEnded = true
    return unlisted.length === 0
  }

  const startRound = (bytes: Buffer): Round => ({
    heads: [bytes],
    data: [bytes],
    sizeBytes: bytes.length,
    state: {},
  })
  const newPiece = (rounds: readonly Round[], startOffset: number): NewPiece => ({
    startOffset,
    sizeBytes: rounds.reduce((sum, round) => sum + round.sizeBytes, 0),
    skeletonBytes: bytesOf(rounds.flatMap(({ heads }) => heads)),
    blob: `${prefix}${++blobCount}.mp4`,
    state: rounds.at(-1)!.state,
  })
  const blobOf = (rounds: readonly Round[]): Buffer[] => [
    ...rounds.flatMap(({ data }) => data),
    ...rounds.flatMap(({ heads }) => heads),
  ]

  const store = async (queued: readonly Round[]): Promise<void> => {
    const rounds = start === null ? queued : [startRound(start), ...queued]
    const piece = newPiece(rounds, nextOffset)
    if (!(await put(piece.blob, blobOf(rounds)))) return
    start = null
    nextOffset += piece.sizeBytes
    for (const round of queued) queuedBytes -= round.sizeBytes
    unlisted.push(piece)
    const isListed = await listAll()
    small.push({ piece, rounds })
    if (small.reduce((sum, one) => sum + one.piece.sizeBytes, 0) < joinedBytes) return
    const joining = small
    small = []
    if (isListed && joining.length > 1) await join(joining)
  }

  /** The small pieces stay when one step fails. */
  const join = async (pieces: typeof small): Promise<void> => {
    const rounds = pieces.flatMap((one) => one.rounds)
    const joined = newPiece(rounds, pieces[0]!.piece.startOffset)
    try {
      await blobs.put(joined.blob, blobOf(rounds))
      await list.replace(joined)
      for (const { piece } of pieces) await blobs.delete(piece.blob)
    } catch {
      // The folder of the recording is deleted at its end.
    }
  }

  const run = async (): Promise<void> => {
    start = await options.start
    while (!hasEnded && !signal.aborted) {
      if (queue.length > 0) {
        await store(queue.splice(0))
        continue
      }
      const isListed = await listAll()
      if (queue.length > 0) continue
      if (isListed && isClosing) return
      await rest(isListed ? null : listAgainMs)
    }
  }
  const onAbort = (): void => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  const done = run()
    .catch(fail)
    // The signal is that of the node, and would hold the last pieces of each recording.
    .finally(() => signal.removeEventListener('abort', onAbort))

  return {
    sizeBytes: () => sizeBytes,
    append: (fragment) => {
      if (hasEnded || isClosing) return
      appended.heads.push(fragment[0]!)
      appended.data.push(...fragment)
    },
    endRound: (state) => {
      const { heads, data } = appended
      if (hasEnded || isClosing || data.length === 0) return
      appended = { heads: [], data: [] }
      const roundBytes = bytesOf(data)
      largestBytes = Math.max(largestBytes, roundBytes)
      if (queuedBytes + roundBytes > Math.max(longestQueueBytes, 2 * largestBytes))
        return fail(new Error('The media storage is too slow for the recording.'))
      queue.push({ heads, data, sizeBytes: roundBytes, state })
      queuedBytes += roundBytes
      sizeBytes += roundBytes
      wake()
    },
    close: () => {
      isClosing = true
      wake()
      return done
    },
  }
}
