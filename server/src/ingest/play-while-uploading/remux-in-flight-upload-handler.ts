import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  MediaError,
  pipedFormatOf,
  pipedRemuxArguments,
  probeFile,
  runFfmpeg,
  type Probe,
} from '@zoetrope/ffmpeg'
import { openFileReader, readPartialMovie } from '@zoetrope/isobmff'
import { newMessage } from '../../platform/base/message.ts'
import type { InFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import type { InFlightUploadJob } from '../../library/files/queue/file-jobs.ts'
import { remuxBlob } from '../../library/files/media/media-blobs.ts'
import { blobPrefixOf } from '../../library/files/record/media-file-store.ts'
import { withdrawUpload } from '../../library/files/change/withdraw-upload.ts'
import type { Database } from '../../platform/db/database.ts'
import { largestCopyBytes } from '../renditions/largest-copy.ts'
import { unchangedSource } from '../renditions/plan-source.ts'
import { audioOfRemux, planRemuxedTracks } from '../renditions/remuxed-tracks.ts'
import { judge, never, showInFlightUpload, type Look } from './show-in-flight-upload.ts'
import { tailUpload } from './tail-upload.ts'

interface RemuxInFlightUploadDependencies {
  readonly database: Database
  readonly publicUrl: string
  readonly inFlightUploads: InFlightUploads
  readonly maxDurationSeconds: number
  readonly maxSizeBytes: number
}

const lookEveryMs = 500
/** Longer than an uploading client may pause. */
const stallSeconds = 300

/**
 * Remuxes an in-flight upload into a fragmented MP4 that plays as far as it is written. Once both are
 * complete, the file keeps this remux. A failed remux is withdrawn; a second attempt only withdraws what a
 * killed run has listed.
 */
export const createRemuxInFlightUploadHandler =
  (dependencies: RemuxInFlightUploadDependencies) =>
  async (
    job: InFlightUploadJob,
    signal: AbortSignal,
    { number }: { readonly number: number },
  ): Promise<void> => {
    const { inFlightUploads } = dependencies
    const mediaBlob = remuxBlob(blobPrefixOf(job), randomUUID())
    const paths = inFlightUploads.remuxPaths(mediaBlob)
    try {
      if (number > 1 || !(await remux(dependencies, job, mediaBlob, signal)))
        return await giveUp(dependencies, job)
      await rename(paths.partial, paths.whole)
    } catch (error) {
      await giveUp(dependencies, job)
      if (!(error instanceof MediaError) || signal.aborted) throw error
    } finally {
      await rm(paths.partial, { force: true })
    }
  }

const giveUp = (
  dependencies: RemuxInFlightUploadDependencies,
  { accountId, fileId, stagingName }: InFlightUploadJob,
): Promise<void> =>
  withdrawUpload(dependencies, { account_id: accountId, file_id: fileId, staging_name: stagingName })

/** Returns false when the upload is gone or cannot be remuxed. */
const remux = async (
  { database, publicUrl, inFlightUploads, maxDurationSeconds, maxSizeBytes }: RemuxInFlightUploadDependencies,
  job: InFlightUploadJob,
  mediaBlob: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const bytes = await inFlightUploads.ofUpload(job.stagingName)
  if (bytes === null) return false
  const probe = await probeFile(bytes.path, { signal })
  const format = pipedFormatOf(probe)
  if (format === null) return false
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const { partial: outputPath } = inFlightUploads.remuxPaths(mediaBlob)
  const copiedAudio = audioOfRemux(probe, unchangedSource)
  const input = countBytes(
    tailUpload(inFlightUploads, { stagingName: job.stagingName, path: bytes.path }, either),
  )
  // The folder holds other uploads, so ffmpeg may write only this file, which must exist.
  await writeFile(outputPath, '')
  const run = runFfmpeg(pipedRemuxArguments({ format, outputPath, probe, copiedAudio }), {
    outputPipes: 0,
    input: input.chunks,
    outputFiles: [outputPath],
    signal: either,
    limits: {
      stallSeconds,
      mediaSeconds: maxDurationSeconds,
      outputFileBytes: largestCopyBytes(maxSizeBytes),
    },
  })
  let isShown = false
  const show = async (): Promise<void> => {
    const plays = await whenItPlays(inFlightUploads, { mediaBlob, source: probe }, either)
    if (plays === null) return ended.abort()
    await showInFlightUpload({ database, publicUrl }, job, plays, mediaBlob)
    isShown = true
  }
  const boundSize = async (): Promise<void> => {
    while (!either.aborted) {
      const copiedBytes = (await inFlightUploads.ofRemux(mediaBlob))?.receivedBytes ?? 0
      if (copiedBytes > largestCopyBytes(input.countedBytes()))
        throw new MediaError('too_large', newMessage('copy_too_large'))
      await delay(lookEveryMs, undefined, { signal: either }).catch(() => {})
    }
  }
  const showing = show()
  const bounding = boundSize()
  try {
    await Promise.race([run.done, showing.then(() => run.done), bounding.then(() => run.done)])
    return isShown
  } finally {
    ended.abort()
    await Promise.allSettled([run.done, showing, bounding])
  }
}

const countBytes = (
  chunks: AsyncIterable<Buffer>,
): { readonly chunks: AsyncIterable<Buffer>; readonly countedBytes: () => number } => {
  let countedBytes = 0
  const counted = async function* () {
    for await (const chunk of chunks) {
      countedBytes += chunk.length
      yield chunk
    }
  }
  return { chunks: counted(), countedBytes: () => countedBytes }
}

type Plays = NonNullable<Look['plays']>

/** Returns null when the remux plays only once it is complete. */
const whenItPlays = async (
  inFlightUploads: InFlightUploads,
  copy: { readonly mediaBlob: string; readonly source: Probe },
  signal: AbortSignal,
): Promise<Plays | null> => {
  for (;;) {
    const look = await lookAt(inFlightUploads, copy, signal)
    if (look.plays !== null) return look.plays
    if (look.nextLookBytes === null) return null
    await delay(lookEveryMs, undefined, { signal })
  }
}

const soon: Look = { plays: null, nextLookBytes: 0 }

const lookAt = async (
  inFlightUploads: InFlightUploads,
  { mediaBlob, source }: { readonly mediaBlob: string; readonly source: Probe },
  signal: AbortSignal,
): Promise<Look> => {
  const bytes = await inFlightUploads.ofRemux(mediaBlob)
  if (bytes === null) return soon
  await using reader = await openFileReader(bytes.path)
  const sizeBytes = Math.min(bytes.receivedBytes, reader.sizeBytes)
  const partial = await readPartialMovie({ ...reader, sizeBytes })
  if (partial.state !== 'here') return partial.state === 'unfit' && sizeBytes > 0 ? never : soon
  const { movie } = partial
  const probe = await probeFile(bytes.path, { signal })
  const tracks = planRemuxedTracks({ movie, probe, blob: mediaBlob }, source, unchangedSource)
  return judge(movie, tracks ?? { video: null, audio: [] }, source, sizeBytes)
}
