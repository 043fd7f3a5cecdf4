import { randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { createS3Client, type S3Settings } from './s3-client.ts'

/** Permissions that the store requires; each is tested on a separate object. */
export type S3Step = 'write' | 'read' | 'list' | 'delete'

const stepMs = 10_000
const folder = 'zoetrope-doctor/'

/** Error codes of Amazon S3, which other stores use too. */
const advice: Readonly<Record<string, (settings: S3Settings) => string>> = {
  SignatureDoesNotMatch: () =>
    'The access key and the secret do not fit together: check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
  InvalidAccessKeyId: () => 'The store does not know the access key: check S3_ACCESS_KEY_ID.',
  NoSuchBucket: ({ bucket }) => `There is no bucket ${bucket}: check S3_BUCKET, or create it.`,
  PermanentRedirect: ({ region }) => `The bucket is not in the region ${region}: check S3_REGION.`,
  AuthorizationHeaderMalformed: ({ region }) => `The store is not in the region ${region}: check S3_REGION.`,
  RequestTimeTooSkewed: () => 'The clock of this machine is wrong: set it by NTP.',
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

const describeError = (error: unknown, step: S3Step, settings: S3Settings): string => {
  const { name, code, message, $metadata } = error as Error & {
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  const known = advice[name]?.(settings)
  if (known !== undefined) return known
  if (name === 'AbortError' || name === 'TimeoutError' || networkCodes.has(code ?? ''))
    return `The store does not answer (${code ?? name}): check S3_ENDPOINT and the network.`
  if (name === 'AccessDenied' || $metadata?.httpStatusCode === 403)
    return `The access key may not ${step} objects of the bucket ${settings.bucket}: allow it, or check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`
  return `It could not ${step} an object (${name}: ${message}).`
}

const stepsOn = (client: S3Client, { bucket }: S3Settings) => {
  const Key = `${folder}${randomUUID()}`
  const Bucket = bucket
  const signal = () => ({ abortSignal: AbortSignal.timeout(stepMs) })
  const remove = () => client.send(new DeleteObjectCommand({ Bucket, Key }), signal())
  const steps: Record<S3Step, () => Promise<unknown>> = {
    write: () => client.send(new PutObjectCommand({ Bucket, Key, Body: Key }), signal()),
    read: async () => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), signal())
      if ((await Body?.transformToString()) !== Key)
        throw new Error('other bytes came back than were written')
    },
    list: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }), signal())
      if (!Contents.some((one) => one.Key === Key)) throw new Error('the listing lacks the object')
    },
    delete: remove,
  }
  return { steps, remove }
}

/**
 * Writes, reads, lists and deletes an object as Zoetrope does. Returns null on success, else a sentence about
 * the fault and what to check.
 */
export const checkS3 = async (settings: S3Settings): Promise<string | null> => {
  const client = createS3Client(settings)
  const { steps, remove } = stepsOn(client, settings)
  try {
    for (const step of ['write', 'read', 'list', 'delete'] as const)
      try {
        await steps[step]()
      } catch (error) {
        if (step === 'read' || step === 'list') await remove().catch(() => {})
        return describeError(error, step, settings)
      }
    return null
  } finally {
    client.destroy()
  }
}
