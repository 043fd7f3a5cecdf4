import { messageOf } from '@zoetrope/vocabulary'
import { changeMediaFile } from '../../../library/files/record/media-file-store.ts'
import { cleanFileName, titleFromFileName } from '../../../library/files/record/file-name.ts'
import { newId } from '../../../platform/base/ids.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { newMessage } from '../../../platform/base/message.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import { holdUpload, receivedBytes, type UploadDependencies } from '../receive/finish-upload.ts'
import { stagedOnS3, stagingOf } from '../store/stagings.ts'
import { PullError, PullSupersededError } from './pull-error.ts'
import { storeSource, type ClaimedPull } from './pull-store.ts'
import { asPullError, requestSource, type PullLimits, type SourceAnswer } from './request-source.ts'
import { showTrouble } from './pull-trouble.ts'
import type { SourceUri } from './source-uri.ts'

export interface PullDependencies extends UploadDependencies {
  readonly agent: GuardedAgent
  readonly secrets: Sealer<'workers'>
  readonly maxSizeBytes: number
  readonly limits: PullLimits
}

type Bytes = Extract<SourceAnswer, { is: 'bytes' }>

const storeOrEnd = async (
  { database }: PullDependencies,
  claimed: ClaimedPull,
  source: Parameters<typeof storeSource>[2],
): Promise<ClaimedPull> => {
  const stored = await storeSource(database, claimed, source)
  if (stored === null) throw new PullSupersededError()
  return stored
}

type Place = Pick<ClaimedPull['upload'], 'staging_name' | 'staged_on'>

export const stagedBytes = async ({ stagings }: PullDependencies, place: Place): Promise<number> =>
  (await stagingOf(stagings, place.staged_on).sizeOf(place.staging_name)) ?? 0

export const removeStaged = ({ stagings }: Pick<PullDependencies, 'stagings'>, place: Place): Promise<void> =>
  stagingOf(stagings, place.staged_on).remove(place.staging_name)

/**
 * Makes one attempt, which returns after all bytes or throws. Requests the missing bytes and appends them to
 * the received ones. Each version of the source has a separate staging file, so that versions never mix, even
 * with concurrent writers.
 */
export const fetchSource = async (
  dependencies: PullDependencies,
  claimed: ClaimedPull,
  uri: SourceUri,
  projectId: number,
  signal: AbortSignal,
): Promise<ClaimedPull> => {
  const { agent, limits } = dependencies
  const { pull, upload } = claimed
  // A crash may have happened between the last byte and the takeover.
  if (pull.validator !== null && upload.size_bytes !== null) {
    const received = await receivedBytes(dependencies, upload)
    if (received === upload.size_bytes) return claimed
  }
  const offset = await stagedBytes(dependencies, upload)
  const resumption = offset > 0 && pull.validator !== null ? { offset, validator: pull.validator } : null
  const answer = await requestSource(agent, uri, resumption, limits, signal).catch((error: unknown) => {
    throw asPullError(error)
  })
  if (answer.is === 'complete') {
    checkLength(claimed, offset)
    return claimed
  }
  if (answer.is === 'changed') {
    const restarted = await storeOrEnd(dependencies, claimed, {
      validator: null,
      sizeBytes: pull.expected_bytes,
      ...newPlace(dependencies),
    })
    await removeStaged(dependencies, upload)
    return fetchSource(dependencies, restarted, uri, projectId, signal)
  }
  try {
    return await takeBytes(dependencies, claimed, answer, projectId, signal)
  } finally {
    answer.discard()
  }
}

const newPlace = ({ stagings }: PullDependencies) => ({
  stagingName: newId(),
  stagedOn: stagings.present === 's3' ? stagedOnS3 : null,
})

const checkLength = (claimed: ClaimedPull, totalBytes: number | null): void => {
  const { expected_bytes: expectedBytes } = claimed.pull
  if (totalBytes === 0) throw new PullError('refused', newMessage('source_empty'))
  if (totalBytes !== null && expectedBytes !== null && totalBytes !== expectedBytes)
    throw new PullError('refused', newMessage('source_size_differs', { totalBytes, expectedBytes }))
}

const takeBytes = async (
  dependencies: PullDependencies,
  before: ClaimedPull,
  answer: Bytes,
  projectId: number,
  signal: AbortSignal,
): Promise<ClaimedPull> => {
  const { database, stagings, maxSizeBytes, publicUrl } = dependencies
  const { totalBytes, offset } = answer
  checkLength(before, totalBytes)
  const project = await findProject(database.kysely, before.pull.account_id, projectId)
  const tooLarge = new PullError('refused', newMessage('source_too_large', { maxBytes: maxSizeBytes }))
  if ((totalBytes ?? 0) > maxSizeBytes) throw tooLarge
  checkQuota(project, totalBytes ?? 0)
  const claimed = await storeOrEnd(dependencies, before, {
    validator: answer.validator,
    // A response to a range may omit the total length that the first response contained.
    sizeBytes: totalBytes ?? (offset === 0 ? before.pull.expected_bytes : before.upload.size_bytes),
    ...(offset === 0
      ? newPlace(dependencies)
      : { stagingName: before.upload.staging_name, stagedOn: before.upload.staged_on }),
  })
  if (offset === 0) await removeStaged(dependencies, before.upload)
  await database.transaction((tx) => showTrouble(tx, publicUrl, claimed.upload, null))
  if (!before.pull.is_named && answer.fileName !== null)
    await adoptName(dependencies, claimed, cleanFileName(answer.fileName))
  const roomBytes =
    project.storage_quota_bytes === null ? maxSizeBytes : project.storage_quota_bytes - project.storage_bytes
  const body = untilItBreaks(unlessTooSlow(answer.body, dependencies.limits))
  const { upload } = claimed
  const limitBytes = Math.max(0, Math.min(upload.size_bytes ?? maxSizeBytes, maxSizeBytes, roomBytes))
  const append = () =>
    stagingOf(stagings, upload.staged_on).append(upload.staging_name, body.bytes, {
      offset,
      sizeBytes: upload.size_bytes,
      maxSizeBytes: limitBytes,
    })
  const { sizeBytes } = await holdUpload(dependencies, upload, answer.discard, append).catch(
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'storage_full')
        throw new PullError('broken', messageOf(error))
      if (error instanceof Problem && error.reason === 'upload_too_large') {
        // The quota or the announced size may be the lower limit.
        checkQuota(project, limitBytes + 1)
        if (limitBytes === upload.size_bytes)
          throw new PullError('refused', newMessage('source_longer_than_size', { totalBytes: limitBytes }))
      }
      throw error
    },
  )
  signal.throwIfAborted()
  const broken = body.error()
  if (broken !== null) throw asPullError(broken)
  if (sizeBytes === 0) throw new PullError('refused', newMessage('source_empty'))
  const due = claimed.upload.size_bytes
  if (due !== null && sizeBytes < due) {
    const message = newMessage('source_ended_early', { receivedBytes: sizeBytes, totalBytes: due })
    // If the server announced another length or sent a range, a retry may get the rest.
    throw new PullError(totalBytes === null && offset === 0 ? 'refused' : 'broken', message)
  }
  return claimed
}

/**
 * Throws when a source is too slow, because the pulls of all accounts share a few places. Counts only the time in
 * which the worker waits for the source, not that in which it stores bytes.
 */
const unlessTooSlow = async function* (
  body: AsyncIterable<Buffer>,
  { leastBytes, slowMs }: PullLimits,
): AsyncGenerator<Buffer> {
  let waitedMs = 0
  let sentBytes = 0
  let askedAtMs = performance.now()
  for await (const chunk of body) {
    waitedMs += performance.now() - askedAtMs
    sentBytes += chunk.length
    yield chunk
    if (waitedMs >= slowMs) {
      if (sentBytes < leastBytes)
        throw new PullError('broken', newMessage('source_too_slow', { leastBytes, seconds: slowMs / 1_000 }))
      waitedMs = 0
      sentBytes = 0
    }
    askedAtMs = performance.now()
  }
}

/**
 * Ends the stream where the body breaks, which keeps the bytes before it; the caller reads the error
 * afterwards.
 */
const untilItBreaks = (body: AsyncIterable<Buffer>) => {
  let broken: unknown = null
  const read = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* body
    } catch (error) {
      broken = error
    }
  }
  return { bytes: read(), error: () => broken }
}

/** Uses the server's file name if the caller sent none. The title follows while no user has set one. */
const adoptName = async (
  { database, publicUrl }: PullDependencies,
  { upload }: ClaimedPull,
  fileName: string,
): Promise<void> => {
  await database.transaction(async (tx) => {
    if (upload.file_name !== null) {
      await tx
        .updateTable('uploads')
        .set({ file_name: fileName })
        .where('token_hash', '=', upload.token_hash)
        .execute()
      return
    }
    const key = { accountId: upload.account_id, fileId: upload.file_id }
    await changeMediaFile(tx, publicUrl, key, ({ metadata, original_file_name: oldName }) => {
      const isTitleUntouched = metadata['Title'] === titleFromFileName(oldName)
      const title = isTitleUntouched ? { Title: titleFromFileName(fileName) } : {}
      return { set: { original_file_name: fileName, metadata: JSON.stringify({ ...metadata, ...title }) } }
    })
  })
}
