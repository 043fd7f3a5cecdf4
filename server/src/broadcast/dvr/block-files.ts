import { appendFile, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A window lies in blocks: what belongs to so many numbers, of all tracks, in one file of bytes and one of lines that say where. Both only grow,
 * and go together when the window has left them behind.
 */
export const segmentsPerBlock = 64

export const blockOf = (segmentNumber: number): number => Math.floor(segmentNumber / segmentsPerBlock)

export const mediaPath = (folder: string, block: number): string => join(folder, `${block}.m4s`)
export const journalPath = (folder: string, block: number): string => join(folder, `${block}.ndjson`)

/** Where a segment lies. */
export interface BytePlace {
  readonly offset: number
  readonly sizeBytes: number
}

/** Writes behind what the file has, of which a crash may have left a torn end. */
export const appendBytes = async (path: string, pieces: readonly Buffer[]): Promise<BytePlace> => {
  await using handle = await open(path, 'a', 0o600)
  const { size: offset } = await handle.stat()
  try {
    for (const piece of pieces) await handle.appendFile(piece)
  } catch (error) {
    // A full disk gets back what cannot be used.
    await handle.truncate(offset).catch(() => {})
    throw error
  }
  return { offset, sizeBytes: pieces.reduce((sum, { length }) => sum + length, 0) }
}

/** The line break before it keeps it apart from one that a crash has torn. */
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
    if (bytesRead === 0) throw new Error('A segment is cut off.')
    done += bytesRead
  }
  return data
}

export const removeBlock = async (folder: string, block: number): Promise<void> => {
  await rm(journalPath(folder, block), { force: true })
  await rm(mediaPath(folder, block), { force: true })
}
