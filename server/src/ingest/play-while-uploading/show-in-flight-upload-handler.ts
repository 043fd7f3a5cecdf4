import { MediaError, pipedFormatOf, playedAudio, probeFile, type Probe } from '@zoetrope/ffmpeg'
import { openFileReader, readPartialMovie } from '@zoetrope/isobmff'
import type { InFlightBytes, InFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import { remuxInFlightUploadJob, type InFlightUploadJob } from '../../library/files/queue/file-jobs.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readEncodeSettings } from '../renditions/encode-settings.ts'
import {
  changesOf,
  copyableAudio,
  isWorthRemuxing,
  planPassthroughTracks,
  unchangedSource,
} from '../renditions/plan-source.ts'
import { judge, never, showInFlightUpload, someMoreBytes, type Look } from './show-in-flight-upload.ts'

export interface ShowInFlightUploadDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly publicUrl: string
  readonly inFlightUploads: InFlightUploads
  readonly maxDurationSeconds: number
}

/** The source plays as a remux; while a job makes it, no further checks run. */
const remux = 'remux'
const nobodyElseLooks = Number.MAX_SAFE_INTEGER

/**
 * Checks an in-flight upload and makes it playable once the first seconds of all tracks have arrived and can
 * be served by passthrough. May run twice or too late.
 */
export const createShowInFlightUploadHandler =
  (dependencies: ShowInFlightUploadDependencies) =>
  async (job: InFlightUploadJob, signal: AbortSignal): Promise<void> => {
    const { database, jobs, inFlightUploads } = dependencies
    const bytes = await inFlightUploads.ofUpload(job.stagingName)
    if (bytes === null) return
    const { isVideoChanged, isAudioChanged } = changesOf(await readEncodeSettings(database.kysely, job))
    const look =
      isVideoChanged || isAudioChanged ? never : await lookAt(bytes, dependencies.maxDurationSeconds, signal)
    if (look !== remux && look.plays !== null) return showInFlightUpload(dependencies, job, look.plays)
    await database.transaction(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('uploads')
        .set({ look_at_bytes: look === remux ? nobodyElseLooks : look.nextLookBytes })
        .where('staging_name', '=', job.stagingName)
        .where('look_at_bytes', 'is not', null)
        .executeTakeFirst()
      if (look === remux && numUpdatedRows > 0n)
        await jobs.enqueue(tx, remuxInFlightUploadJob, job, { key: job.stagingName })
    })
  }

const lookAt = async (
  { path, receivedBytes }: InFlightBytes,
  maxDurationSeconds: number,
  signal: AbortSignal,
): Promise<Look | typeof remux> => {
  await using reader = await openFileReader(path)
  const partial = await readPartialMovie({
    ...reader,
    sizeBytes: Math.min(receivedBytes, reader.sizeBytes),
  })
  if (partial.state === 'waiting') return { plays: null, nextLookBytes: partial.neededBytes }
  if (partial.state === 'unfit') {
    if (!beginsLikeStream(await reader.read(0, packetBytes + 1))) return never
    // Waits for data of all tracks.
    if (receivedBytes < someMoreBytes) return { plays: null, nextLookBytes: someMoreBytes }
  }
  const movie = partial.state === 'here' ? partial.movie : null
  try {
    const probe = await probeFile(path, { signal })
    if (Math.max(movie?.durationSeconds ?? 0, probe.durationSeconds ?? 0) > maxDurationSeconds) return never
    if (movie !== null)
      return judge(movie, planPassthroughTracks(movie, probe, unchangedSource), probe, receivedBytes)
    return playsAsRemux(probe) ? remux : never
  } catch (error) {
    // Errors are reported once the upload is complete.
    if (error instanceof MediaError && error.code !== 'aborted') return never
    throw error
  }
}

const packetBytes = 188
const packetStart = 0x47
const ebmlStart = 0x1a45dfa3

const beginsLikeStream = (start: Buffer): boolean =>
  start.length > packetBytes &&
  (start.readUInt32BE(0) === ebmlStart || (start[0] === packetStart && start[packetBytes] === packetStart))

/** Whether only the container prevents playback, and the container can be read as a stream. */
const playsAsRemux = (probe: Probe): boolean =>
  pipedFormatOf(probe) !== null &&
  probe.video !== null &&
  isWorthRemuxing(probe, { video: null, audio: [] }, null, unchangedSource) &&
  copyableAudio(probe).length === playedAudio(probe).length
