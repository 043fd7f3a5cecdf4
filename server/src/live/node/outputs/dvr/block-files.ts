import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A window is stored in blocks of 64 segment numbers with all tracks: one append-only media file for each owner of the
 * broadcast, whose contents the journal lists. Both are deleted when the window has moved past them.
 */
export const segmentsPerBlock = 64

export const blockOf = (segmentNumber: number): number => Math.floor(segmentNumber / segmentsPerBlock)

/** Two owners at the same time may share the folder, and would append between each other's bytes. */
export const mediaPath = (folder: string, block: number, epoch: number): string =>
  join(folder, epoch === 0 ? `${block}.m4s` : `${block}-${epoch}.m4s`)

export interface BytePlace {
  readonly offset: number
  readonly sizeBytes: number
}

/**
 * Appends after the current end of the file, which a crash may have left incomplete. Few calls, because a node does this
 * for each segment of all its streams.
 */
export const appendBytes = async (path: string, pieces: readonly Buffer[]): Promise<BytePlace> => {
  await using handle = await open(path, 'a', 0o600)
  const { size: offset } = await handle.stat()
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  try {
    const { bytesWritten } = await handle.writev(pieces)
    if (bytesWritten < sizeBytes) await handle.appendFile(Buffer.concat(pieces).subarray(bytesWritten))
  } catch (error) {
    // Frees the space of the incomplete segment on a full disk.
    await handle.truncate(offset).catch(() => {})
    throw error
  }
  return { offset, sizeBytes }
}

export const readBytes = async (path: string, { offset, sizeBytes }: BytePlace): Promise<Buffer> => {
  await using handle = await open(path)
  const data = Buffer.allocUnsafeSlow(sizeBytes)
  for (let done = 0; done < sizeBytes;) {
    const { bytesRead } = await handle.read(data, done, sizeBytes - done, offset + done)
    if (bytesRead === 0) throw new Error('A segment is truncated.')
    done += bytesRead
  }
  return data
}

export const removeBlock = async (folder: string, block: number, epochs: Iterable<number>): Promise<void> => {
  for (const epoch of epochs) await rm(mediaPath(folder, block, epoch), { force: true })
}
