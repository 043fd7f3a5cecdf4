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
    'The secret does not match the access key. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
  InvalidAccessKeyId: () => 'The access key is unknown to the store. Check S3_ACCESS_KEY_ID.',
  NoSuchBucket: ({ bucket }) => `The bucket ${bucket} does not exist. Check S3_BUCKET, or create the bucket.`,
  PermanentRedirect: ({ region }) => `The bucket is not in the region ${region}: check S3_REGION.`,
  AuthorizationHeaderMalformed: ({ region }) => `The store is not in the region ${region}: check S3_REGION.`,
  RequestTimeTooSkewed: () => 'The clock of this machine is wrong. Synchronize it by NTP.',
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
    return `The store does not respond (${code ?? name}). Check S3_ENDPOINT and the network.`
  if (name === 'AccessDenied' || $metadata?.httpStatusCode === 403)
    return `The access key cannot ${step} objects in the bucket ${settings.bucket}. Grant the permission, or check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`
  return `Cannot ${step} an object (${name}: ${message}).`
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
        throw new Error('the store returned other bytes than were written')
    },
    list: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: Key }), signal())
      if (!Contents.some((one) => one.Key === Key)) throw new Error('the listing does not contain the object')
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
