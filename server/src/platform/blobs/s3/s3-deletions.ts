import { DeleteObjectCommand, DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3'
import { forEachAtOnce } from '../../base/concurrency/for-each-at-once.ts'
import { BlobStoreUnavailableError } from '../blob-store.ts'
import { isMissingObject, isUnsupported } from './s3-client.ts'

/** S3 API, DeleteObjects: at most 1,000 keys. */
export const objectsPerDeletion = 1_000
const singleDeletionsAtOnce = 16
/** Codes of a store that cannot delete more at present, whatever the object. */
const passingCodes: ReadonlySet<string> = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable'])

/**
 * Returns a function that deletes up to 1,000 objects with one request, or with one each if the store does not
 * support that, as some do not.
 */
export const createDeleteObjects = (
  client: S3Client,
  bucket: string,
): ((names: readonly string[]) => Promise<void>) => {
  let isTogetherSupported = true

  const deleteTogether = async (names: readonly string[]): Promise<void> => {
    const deletion = { Bucket: bucket, Delete: { Objects: names.map((Key) => ({ Key })), Quiet: true } }
    const { Errors: failures = [] } = await client.send(new DeleteObjectsCommand(deletion))
    // DeleteObjects may fail for some objects and succeed for the others.
    const failure = failures.find(({ Code }) => Code !== 'NoSuchKey')
    if (failure === undefined) return
    const sentence = `S3 did not delete ${failure.Key ?? 'an object'}: ${failure.Message ?? ''}`
    throw passingCodes.has(failure.Code ?? '')
      ? new BlobStoreUnavailableError(sentence, failure)
      : new Error(sentence)
  }

  const deleteOne = async (name: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name })).catch((error: unknown) => {
      if (!isMissingObject(error)) throw error
    })
  }

  return async (names) => {
    if (isTogetherSupported)
      try {
        return await deleteTogether(names)
      } catch (error) {
        if (!isUnsupported(error)) throw error
        isTogetherSupported = false
      }
    await forEachAtOnce(names, singleDeletionsAtOnce, deleteOne)
  }
}
