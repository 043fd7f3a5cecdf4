import { open, type FileHandle } from 'node:fs/promises'
import { readMovie, writeRecordingStart } from '@zoetrope/isobmff'
import type { TrackFormat } from '@zoetrope/ll-hls'
import type { FragmentWriter } from './recorded-part.ts'

/**
 * Half a minute of 8 Mbit/s, or two of the largest fragments: a disk that lags further behind does not catch
 * up.
 */
const longestQueueBytes = 32 * 2 ** 20
/** Syncs while bytes arrive, so that little is left to sync at the end. */
const syncBytes = 32 * 2 ** 20

export interface RecordingFile extends FragmentWriter {
  /** Includes the bytes that wait to be written. */
  readonly sizeBytes: () => number
  /** Resolves when no bytes wait to be written. */
  readonly written: () => Promise<void>
  /** Resolves when all bytes are written, or writing has failed. */
  readonly close: () => Promise<void>
}

/** Writes the file at `path`. `append` returns at once; `onFault` gets the first write error, and later fragments are dropped. Tracks have the ids 1, 2 … in the order of `formats`. */
export const createRecordingFile = (
  path: string,
  formats: readonly TrackFormat[],
  onFault: (error: unknown) => void,
): RecordingFile => {
  let queue: Buffer[] = []
  let queuedBytes = 0
  let largestBytes = 0
  let sizeBytes = 0
  let hasFault = false
  let isClosing = false
  let wake = (): void => {}
  let waiters: (() => void)[] = []

  const resolveWaiters = (): void => {
    for (const resolve of waiters) resolve()
    waiters = []
  }

  const fail = (error: unknown): void => {
    if (hasFault) return
    hasFault = true
    queue = []
    resolveWaiters()
    onFault(error)
  }

  const drain = async (handle: FileHandle): Promise<void> => {
    let unsyncedBytes = 0
    for (;;) {
      const buffers = queue
      if (hasFault || (buffers.length === 0 && isClosing)) return
      if (buffers.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      queue = []
      const bytes = await writeFully(handle, buffers)
      queuedBytes -= bytes
      if (queuedBytes === 0) resolveWaiters()
      unsyncedBytes += bytes
      if (unsyncedBytes >= syncBytes) {
        unsyncedBytes = 0
        await handle.datasync()
      }
    }
  }

  const write = async (): Promise<void> => {
    await using handle = await open(path, 'wx', 0o600)
    await writeFully(handle, [await startOfRecording(formats)])
    await drain(handle)
  }

  const done = write().catch(fail)
  return {
    sizeBytes: () => sizeBytes,
    append: (fragment) => {
      if (hasFault || isClosing) return
      const bytes = fragment.reduce((sum, { length }) => sum + length, 0)
      largestBytes = Math.max(largestBytes, bytes)
      if (queuedBytes + bytes > Math.max(longestQueueBytes, 2 * largestBytes))
        return fail(new Error('The disk is too slow for the recording.'))
      queue.push(...fragment)
      queuedBytes += bytes
      sizeBytes += bytes
      wake()
    },
    written: () =>
      queuedBytes === 0 || hasFault
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiters.push(resolve)
          }),
    close: () => {
      isClosing = true
      wake()
      return done
    },
  }
}

/** A nearly full disk answers with a short write before ENOSPC. */
const writeFully = async (handle: FileHandle, buffers: readonly Buffer[]): Promise<number> => {
  const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await handle.writev([...buffers])
  for (let written = bytesWritten; written < bytes;) {
    const rest = Buffer.concat(buffers).subarray(written)
    written += (await handle.write(rest)).bytesWritten
  }
  return bytes
}

/** Tracks have the ids 1, 2 … in the order of `formats`. */
export const startOfRecording = async (formats: readonly TrackFormat[]): Promise<Buffer> =>
  writeRecordingStart(await Promise.all(formats.map(describeTrack)))

const describeTrack = async ({ initSegment }: TrackFormat) => {
  const { tracks } = await readMovie({
    sizeBytes: initSegment.length,
    read: async (offset, length) => initSegment.subarray(offset, offset + length),
  })
  return tracks[0]!
}
