import { appendFile, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A window is stored in blocks of 64 segment numbers with all tracks: one media file and one journal of
 * locations. Both are append-only, and are deleted together when the window has moved past them.
 */
export const segmentsPerBlock = 64

export const blockOf = (segmentNumber: number): number => Math.floor(segmentNumber / segmentsPerBlock)

export const mediaPath = (folder: string, block: number): string => join(folder, `${block}.m4s`)
export const journalPath = (folder: string, block: number): string => join(folder, `${block}.ndjson`)

export interface BytePlace {
  readonly offset: number
  readonly sizeBytes: number
}

/** Appends after the current end of the file, which a crash may have left incomplete. */
export const appendBytes = async (path: string, pieces: readonly Buffer[]): Promise<BytePlace> => {
  await using handle = await open(path, 'a', 0o600)
  const { size: offset } = await handle.stat()
  try {
    for (const piece of pieces) await handle.appendFile(piece)
  } catch (error) {
    // Frees the space of the incomplete segment on a full disk.
    await handle.truncate(offset).catch(() => {})
    throw error
  }
  return { offset, sizeBytes: pieces.reduce((sum, { length }) => sum + length, 0) }
}

/** The leading line break separates the line from one that a crash left incomplete. */
export const appendLine = async (path: string, line: string): Promise<number> => {
  const text = `\n${line}\n`
  await appendFile(path, text, { mode: 0o600 })
  return Buffer.byteLength(text)
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

export const removeBlock = async (folder: string, block: number): Promise<void> => {
  await rm(journalPath(folder, block), { force: true })
  await rm(mediaPath(folder, block), { force: true })
}
