import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder, toStorageError, writeAll } from './durable-files.ts'
import { toS3Error } from './s3-client.ts'

export interface RemoteBlob {
  readonly key: string
  readonly etag: string
  readonly sizeBytes: number
}

/** Streams the blob from byte `start`. Fails when the content no longer matches `blob.etag`. */
export type OpenBlobFrom = (blob: RemoteBlob, start: number) => Promise<Readable>

export interface S3Downloads {
  readonly lend: <T>(blob: RemoteBlob, use: (path: string) => Promise<T>) => Promise<T>
}

interface Download {
  readonly path: string
  readonly done: Promise<void>
  userCount: number
}

/** Long downloads lose their connection now and then; each attempt resumes where the last one ended. */
const downloadAttempts = 5

/**
 * Lends local copies of blobs. Concurrent users of the same content share one copy, which the last of them
 * removes.
 */
export const createS3Downloads = (folder: string, openFrom: OpenBlobFrom): S3Downloads => {
  const downloads = new Map<string, Download>()

  const begin = (id: string, blob: RemoteBlob): Download => {
    const localPath = path.join(folder, randomUUID())
    const download = { path: localPath, done: fetchBlob(blob, localPath, openFrom), userCount: 0 }
    downloads.set(id, download)
    return download
  }

  const lend: S3Downloads['lend'] = async (blob, use) => {
    const id = `${blob.key} ${blob.etag}`
    const download = downloads.get(id) ?? begin(id, blob)
    download.userCount += 1
    try {
      await download.done
      return await use(download.path)
    } finally {
      download.userCount -= 1
      if (download.userCount === 0) {
        downloads.delete(id)
        await rm(download.path, { force: true })
      }
    }
  }

  return { lend }
}

const fetchBlob = async (blob: RemoteBlob, localPath: string, openFrom: OpenBlobFrom): Promise<void> => {
  await makeFolder(path.dirname(localPath))
  await using handle = await open(localPath, 'wx')
  let received = 0
  for (let attempt = 1; received < blob.sizeBytes; attempt += 1) {
    try {
      for await (const buffer of (await openFrom(blob, received)) as AsyncIterable<Buffer>) {
        await writeLocally(handle, buffer)
        received += buffer.length
      }
      if (received < blob.sizeBytes) throw new Error(`The download of ${blob.key} ended too early.`)
    } catch (error) {
      if (error instanceof LocalWriteError) throw error.cause
      if (attempt === downloadAttempts) throw toS3Error(error, blob.key)
    }
  }
}

/** Distinguishes a failure of the local disk from one of the connection; only the latter is retried. */
class LocalWriteError extends Error {}

const writeLocally = async (handle: FileHandle, buffer: Buffer): Promise<void> => {
  try {
    await writeAll(handle, [buffer])
  } catch (error) {
    throw new LocalWriteError('Cannot write the local copy.', { cause: toStorageError(error) })
  }
}
