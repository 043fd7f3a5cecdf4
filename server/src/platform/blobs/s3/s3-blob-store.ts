import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import {
  BlobNotFoundError,
  checkBlobKey,
  checkBlobPrefix,
  checkByteRange,
  type BlobStore,
  type ByteRange,
  type UsedMultiparts,
} from '../blob-store.ts'
import { forEachAtOnce } from '../../base/concurrency/for-each-at-once.ts'
import { errorCodeOf, sweepFolder } from '../durable-files.ts'
import { createDeleteObjects, objectsPerDeletion } from './s3-deletions.ts'
import {
  createS3Client,
  isMissingObject,
  isRangeBehindEnd,
  isUnexplained404,
  toS3Error,
  type S3Settings,
} from './s3-client.ts'
import { createLocalCopies, type RemoteBlob } from '../local-copies.ts'
import { joinInS3 } from './s3-join.ts'
import { createS3Multipart } from './s3-multipart.ts'

export interface S3BlobStoreOptions extends S3Settings {
  /** Key prefix for a shared bucket; ends with '/'. */
  readonly prefix?: string
  readonly scratchFolder: string
  /**
   * Limit of each of three attempts to read, until the store begins its answer: a viewer waits meanwhile. Writes have
   * none, because a store may need minutes to join the parts of a large object. Default: 10,000.
   */
  readonly answerWithinMs?: number
}

/** Larger blobs are uploaded in parts, four at a time: a lost connection then costs one part. */
const minimumPartBytes = 8 * 1024 * 1024

const listingsAtOnce = 16

/** Amazon S3 User Guide, "Multipart upload limits": at most 10,000 parts. */
const maximumPartCount = 10_000

const partBytesFor = (sizeBytes: number): number =>
  Math.max(minimumPartBytes, Math.ceil(sizeBytes / maximumPartCount))

const toReadable = (body: unknown): Readable => {
  if (!(body instanceof Readable)) throw new TypeError('The S3 SDK did not return a stream.')
  return body
}

/**
 * Stores blobs as objects of one bucket. S3 makes an object visible only after its last byte, so puts are
 * atomic.
 */
export const createS3BlobStore = (options: S3BlobStoreOptions): BlobStore => {
  const { bucket, prefix: keyPrefix = '', scratchFolder, answerWithinMs = 10_000 } = options
  const client = createS3Client(options)
  const soon = { requestTimeout: answerWithinMs }

  const addressOf = (key: string): { Bucket: string; Key: string } => {
    checkBlobKey(key)
    return { Bucket: bucket, Key: keyPrefix + key }
  }

  const speak = async <T>(key: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      throw toS3Error(error, key)
    }
  }

  const upload = async (
    key: string,
    body: Readable,
    partSize: number,
    contentType?: string,
  ): Promise<void> => {
    const params = {
      ...addressOf(key),
      Body: body,
      ...(contentType !== undefined && { ContentType: contentType }),
    }
    await speak(key, async () => await new Upload({ client, params, partSize, queueSize: 4 }).done())
  }

  const put: BlobStore['put'] = async (key, data, { contentType, sizeBytes: expectedBytes = 0 } = {}) => {
    const address = addressOf(key)
    if (Buffer.isBuffer(data) || Array.isArray(data)) {
      const buffers: readonly Buffer[] = Buffer.isBuffer(data) ? [data] : data
      const sizeBytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
      if (sizeBytes > minimumPartBytes)
        await upload(key, Readable.from(buffers), partBytesFor(sizeBytes), contentType)
      else {
        const input = {
          ...address,
          Body: Buffer.concat(buffers),
          ...(contentType && { ContentType: contentType }),
        }
        await speak(key, async () => await client.send(new PutObjectCommand(input)))
      }
      return { sizeBytes }
    }
    let sizeBytes = 0
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const buffer of data as AsyncIterable<Buffer>) {
        sizeBytes += buffer.length
        yield buffer
      }
    }
    await upload(key, Readable.from(counted()), partBytesFor(expectedBytes), contentType)
    return { sizeBytes }
  }

  const adopt: BlobStore['adopt'] = async (localPath, key) => {
    const stats = await stat(localPath).catch((error: unknown) => {
      if (errorCodeOf(error) === 'ENOENT') return null
      throw error
    })
    if (stats === null) {
      const blob = await head(key)
      if (blob === null) throw new Error(`Neither ${localPath} nor the blob ${key} exists.`)
      return { sizeBytes: blob.sizeBytes }
    }
    await upload(key, createReadStream(localPath, { highWaterMark: 1024 * 1024 }), partBytesFor(stats.size))
    await rm(localPath, { force: true })
    return { sizeBytes: stats.size }
  }

  const head = async (key: string): Promise<(RemoteBlob & { readonly modifiedAt: Date }) | null> => {
    try {
      const answer = await client.send(new HeadObjectCommand(addressOf(key)), soon)
      return {
        key,
        etag: answer.ETag ?? '',
        sizeBytes: answer.ContentLength ?? 0,
        modifiedAt: answer.LastModified ?? new Date(0),
      }
    } catch (error) {
      if (isMissingObject(error) || (isUnexplained404(error) && (await isMissingForRead(key)))) return null
      throw toS3Error(error, key)
    }
  }

  /** Some stores, such as Cloudflare R2, send no request ids. Their answer to a read has a code. */
  const isMissingForRead = async (key: string): Promise<boolean> => {
    try {
      const { Body } = await client.send(
        new GetObjectCommand({ ...addressOf(key), Range: 'bytes=0-0' }),
        soon,
      )
      toReadable(Body).destroy()
      return false
    } catch (error) {
      return isMissingObject(error)
    }
  }

  const statBlob: BlobStore['stat'] = async (key) => {
    const blob = await head(key)
    return blob === null ? null : { sizeBytes: blob.sizeBytes, modifiedAt: blob.modifiedAt }
  }

  const stream = async (key: string, range?: ByteRange): Promise<Readable> => {
    checkByteRange(range)
    const address = addressOf(key)
    if (range !== undefined && range.start === range.end) {
      // RFC 9110 14.1.2 cannot express an empty range; the blob must exist all the same.
      if ((await head(key)) === null) throw new BlobNotFoundError(key)
      return Readable.from([])
    }
    try {
      const rangeHeader = range && { Range: `bytes=${String(range.start)}-${String(range.end - 1)}` }
      return toReadable((await client.send(new GetObjectCommand({ ...address, ...rangeHeader }), soon)).Body)
    } catch (error) {
      if (isRangeBehindEnd(error)) return Readable.from([])
      throw toS3Error(error, key)
    }
  }

  const read: BlobStore['read'] = async (key, range) =>
    await speak(key, async () => Buffer.concat(await (await stream(key, range)).toArray()))

  const copies = createLocalCopies({
    folder: scratchFolder,
    openRange: async ({ key, etag }, { start, end }) => {
      const range = `bytes=${String(start)}-${String(end - 1)}`
      const request = { ...addressOf(key), IfMatch: etag, Range: range }
      return toReadable((await client.send(new GetObjectCommand(request), soon)).Body)
    },
    toError: toS3Error,
  })

  const withLocalFile: BlobStore['withLocalFile'] = async (key, use, plan) => {
    const blob = await head(key)
    if (blob === null) throw new BlobNotFoundError(key)
    return await copies.lend(blob, use, plan)
  }

  const deleteBlob: BlobStore['delete'] = async (key) => {
    const address = addressOf(key)
    await speak(key, async () => await client.send(new DeleteObjectCommand(address))).catch(
      (error: unknown) => {
        if (!(error instanceof BlobNotFoundError)) throw error
      },
    )
  }

  const pagesBelow = async function* (prefix: string): AsyncGenerator<string[]> {
    checkBlobPrefix(prefix)
    const input = { Bucket: bucket, Prefix: keyPrefix + prefix }
    for await (const { Contents: objects = [] } of paginateListObjectsV2({ client }, input))
      if (objects.length > 0) yield objects.map((object) => object.Key ?? '')
  }

  const list: BlobStore['list'] = (prefix) =>
    speak(prefix, async () =>
      (await Array.fromAsync(pagesBelow(prefix))).flat().map((name) => name.slice(keyPrefix.length)),
    )

  const deleteObjects = createDeleteObjects(client, bucket)

  const deleteAll: BlobStore['deleteAll'] = async (names) => {
    const prefixes = names.filter((name) => name.endsWith('/'))
    const found = names.filter((name) => !name.endsWith('/')).map((key) => addressOf(key).Key)
    await speak('', async () => {
      await forEachAtOnce(prefixes, listingsAtOnce, async (prefix) => {
        for await (const page of pagesBelow(prefix)) {
          found.push(...page)
          while (found.length >= objectsPerDeletion) await deleteObjects(found.splice(0, objectsPerDeletion))
        }
      })
      while (found.length > 0) await deleteObjects(found.splice(0, objectsPerDeletion))
    })
  }

  const deletePrefix: BlobStore['deletePrefix'] = async (prefix) => {
    let count = 0
    await speak(prefix, async () => {
      for await (const names of pagesBelow(prefix)) {
        await deleteObjects(names)
        count += names.length
      }
    })
    return count
  }

  /**
   * A listing verifies address, bucket and credentials. It writes nothing, because the check runs every few
   * seconds.
   */
  const checkHealth: BlobStore['checkHealth'] = async () => {
    const listing = new ListObjectsV2Command({ Bucket: bucket, Prefix: keyPrefix, MaxKeys: 1 })
    await speak('', async () => await client.send(listing))
  }

  /** Parts of abandoned uploads are invisible but cost money. */
  const abortOldUploads = async (
    olderThanMs: number,
    usedMultiparts: UsedMultiparts = async () => new Set(),
  ): Promise<number> => {
    const latestMs = Date.now() - olderThanMs
    let count = 0
    let after: { readonly KeyMarker: string; readonly UploadIdMarker: string } | null = null
    do {
      const page: ListMultipartUploadsCommandOutput = await client.send(
        new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: keyPrefix, ...after }),
      )
      const due = (page.Uploads ?? []).filter(
        ({ Initiated: initiated }) => initiated !== undefined && initiated.getTime() <= latestMs,
      )
      const used = await usedMultiparts(due.map(({ UploadId = '' }) => UploadId))
      const old = due.filter(({ UploadId = '' }) => !used.has(UploadId))
      for (const { Key, UploadId } of old)
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
      count += old.length
      const { IsTruncated: isTruncated, NextKeyMarker: key, NextUploadIdMarker: id = '' } = page
      after = isTruncated === true && key !== undefined ? { KeyMarker: key, UploadIdMarker: id } : null
    } while (after !== null)
    return count
  }

  const sweepTemporary: BlobStore['sweepTemporary'] = async (olderThanMs, usedMultiparts) =>
    (await sweepFolder(scratchFolder, olderThanMs)) +
    (await speak('', async () => await abortOldUploads(olderThanMs, usedMultiparts)))

  const multipart = createS3Multipart(options)

  return {
    put,
    adopt,
    join: (key, pieces) => joinInS3({ put, stream }, multipart, key, pieces),
    stat: statBlob,
    read,
    stream,
    withLocalFile,
    list,
    deletePrefix,
    deleteAll,
    delete: deleteBlob,
    checkHealth,
    sweepTemporary,
  }
}
