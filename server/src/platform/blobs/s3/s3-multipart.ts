import { createHash } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { checkBlobKey, type ByteRange } from '../blob-store.ts'
import { createS3Client, isMissingObject, toS3Error, type S3Settings } from './s3-client.ts'

export interface MultipartPart {
  readonly number: number
  readonly etag: string
}

/**
 * Multipart uploads of S3, part by part. Each write carries its MD5, which the store checks. Throws the errors
 * of `BlobStore`.
 */
export interface MultipartStore {
  /** Returns the id of the multipart upload. */
  readonly create: (key: string) => Promise<string>
  /** Returns the ETag of the part. */
  readonly putPart: (key: string, id: string, number: number, data: Buffer) => Promise<string>
  /** Copies a range of another blob within the store. */
  readonly copyPart: (
    key: string,
    id: string,
    number: number,
    from: { readonly key: string; readonly range: ByteRange },
  ) => Promise<string>
  /** Makes one blob of the parts; fails when one has another ETag. Returns false when the id no longer exists. */
  readonly complete: (key: string, id: string, parts: readonly MultipartPart[]) => Promise<boolean>
  /** Succeeds also when the id no longer exists. */
  readonly abort: (key: string, id: string) => Promise<void>
  /** Writes a small blob and returns its ETag. */
  readonly putSmall: (key: string, data: Buffer) => Promise<string>
}

const md5Of = (data: Buffer): string => createHash('md5').update(data).digest('base64')

export const createS3Multipart = (settings: S3Settings & { readonly prefix?: string }): MultipartStore => {
  const { bucket, prefix = '' } = settings
  const client = createS3Client(settings)
  const addressOf = (key: string): { Bucket: string; Key: string } => {
    checkBlobKey(key)
    return { Bucket: bucket, Key: prefix + key }
  }
  const speak = async <T>(key: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      throw toS3Error(error, key)
    }
  }
  const present = (value: string | undefined, name: string): string => {
    if (value === undefined) throw new Error(`The S3 store returned no ${name}.`)
    return value
  }
  return {
    create: (key) =>
      speak(key, async () =>
        present((await client.send(new CreateMultipartUploadCommand(addressOf(key)))).UploadId, 'UploadId'),
      ),
    putPart: (key, id, number, data) =>
      speak(key, async () => {
        const part = new UploadPartCommand({
          ...addressOf(key),
          UploadId: id,
          PartNumber: number,
          Body: data,
          ContentMD5: md5Of(data),
        })
        return present((await client.send(part)).ETag, 'ETag')
      }),
    copyPart: (key, id, number, { key: from, range }) =>
      speak(key, async () => {
        const source = addressOf(from)
        const part = new UploadPartCopyCommand({
          ...addressOf(key),
          UploadId: id,
          PartNumber: number,
          CopySource: `${source.Bucket}/${source.Key}`,
          CopySourceRange: `bytes=${String(range.start)}-${String(range.end - 1)}`,
        })
        return present((await client.send(part)).CopyPartResult?.ETag, 'ETag')
      }),
    complete: async (key, id, parts) => {
      const list = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
      const completion = new CompleteMultipartUploadCommand({
        ...addressOf(key),
        UploadId: id,
        MultipartUpload: { Parts: list },
      })
      try {
        await client.send(completion)
        return true
      } catch (error) {
        // Swift looks for the object of an upload that is over.
        if (isMissingObject(error)) return false
        throw toS3Error(error, key)
      }
    },
    abort: async (key, id) => {
      try {
        await client.send(new AbortMultipartUploadCommand({ ...addressOf(key), UploadId: id }))
      } catch (error) {
        if (!isMissingObject(error)) throw toS3Error(error, key)
      }
    },
    putSmall: (key, data) =>
      speak(key, async () => {
        const put = new PutObjectCommand({ ...addressOf(key), Body: data, ContentMD5: md5Of(data) })
        return present((await client.send(put)).ETag, 'ETag')
      }),
  }
}
