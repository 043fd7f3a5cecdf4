import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3'
import { createS3Client, isUnexplained404, toS3Error, type S3Settings } from './s3-client.ts'

/** Creates the bucket unless there is one, and returns whether it did. */
export const createBucket = async (settings: S3Settings): Promise<boolean> => {
  const client = createS3Client(settings)
  const place = { Bucket: settings.bucket }
  try {
    const isThere = await client.send(new HeadBucketCommand(place)).then(
      () => true,
      (error: unknown) => {
        if (isUnexplained404(error)) return false
        throw error
      },
    )
    if (!isThere) await client.send(new CreateBucketCommand(place))
    return !isThere
  } catch (error) {
    throw toS3Error(error, settings.bucket)
  } finally {
    client.destroy()
  }
}
