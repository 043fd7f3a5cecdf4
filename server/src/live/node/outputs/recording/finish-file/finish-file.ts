import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { readRecording, writeRecordingEnd, type RandomAccessReader } from '@zoetrope/isobmff'

/**
 * Makes a recording a progressive MP4 in place, as far as it was written. It can be repeated when the
 * recorder or this function was killed. Returns false when the file holds no media. Throws IsobmffError when
 * the file is not a recording.
 */
export const finishFile = async (path: string): Promise<boolean> => {
  using reader = openBlockingReader(path)
  const recording = await readRecording(reader)
  if (recording === null) return true
  const end = writeRecordingEnd(recording)
  if (end === null) return false
  await using handle = await open(path, 'r+')
  await handle.truncate(recording.endOffset)
  for (let written = 0; written < end.index.length;) {
    const { bytesWritten } = await handle.write(
      end.index,
      written,
      end.index.length - written,
      recording.endOffset + written,
    )
    written += bytesWritten
  }
  // The index must be on disk before the cover, even if the machine fails in between.
  await handle.datasync()
  await handle.write(end.cover, 0, end.cover.length, end.coverOffset)
  await handle.datasync()
  return true
}

/** Twelve hours need fifty thousand small reads. In the thread pool, each of them takes ten times as long. */
const openBlockingReader = (path: string): RandomAccessReader & Disposable => {
  const descriptor = openSync(path, 'r')
  const sizeBytes = fstatSync(descriptor).size
  return {
    sizeBytes,
    read: async (offset, length) => {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, sizeBytes - offset)))
      return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, offset))
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}
