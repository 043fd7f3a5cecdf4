import { MediaError } from '@zoetrope/ffmpeg'
import type { FileProperties, MediaFileRow } from '../files/file-record.ts'
import { isPlayableState } from '../files/file-record.ts'
import { changeMediaFile, type FileKey } from '../files/media-file-store.ts'
import type { Database, Tx } from '../kernel/db/database.ts'
import type { EventName } from '../kernel/events/domain-event.ts'
import { countInProject } from '../projects/project-store.ts'
import { closeGrowingRenditions } from './rendition-store.ts'

/** The state machine of spec.md section 3, as far as processing moves it. Each step is idempotent: a job may run twice. */

const hasBegun = (file: MediaFileRow): boolean => file.state !== 'created'
const isOver = (file: MediaFileRow): boolean => ['finished', 'failed', 'degraded'].includes(file.state)

export const markUploaded = (tx: Tx, publicUrl: string, key: FileKey, properties: FileProperties) =>
  changeMediaFile(tx, publicUrl, key, (file) => ({
    set: {
      properties: JSON.stringify(properties),
      ...(hasBegun(file) ? {} : { state: 'uploaded' as const }),
    },
    events: hasBegun(file) ? [] : ['file.uploaded'],
  }))

export const markEncoding = (tx: Tx, publicUrl: string, key: FileKey) =>
  changeMediaFile(tx, publicUrl, key, (file) =>
    file.state === 'uploaded' ? { set: { state: 'encoding' }, events: ['file.encoding'] } : { set: {} },
  )

export const markPlayable = (tx: Tx, publicUrl: string, key: FileKey) =>
  changeMediaFile(tx, publicUrl, key, (file) =>
    isPlayableState(file.state)
      ? { set: {} }
      : { set: { state: 'playable', playable_at: new Date() }, events: ['file.playable'] },
  )

/** `file.new` comes once in a file's life. */
const announcement = (file: MediaFileRow): EventName[] => (file.announced_at === null ? ['file.new'] : [])

export const markFinished = (tx: Tx, publicUrl: string, key: FileKey) =>
  changeMediaFile(tx, publicUrl, key, (file) =>
    isOver(file)
      ? { set: {} }
      : {
          set: {
            state: 'finished',
            encoding_progress: 100,
            encoded_at: new Date(),
            announced_at: file.announced_at ?? new Date(),
          },
          events: ['file.encoded', ...announcement(file)],
        },
  )

/** `degraded` when something plays, which then ends where it has got to; else `failed`. */
export const markFailed = async (
  tx: Tx,
  publicUrl: string,
  key: FileKey & { readonly projectId: number },
  message: string,
): Promise<void> => {
  const bytes = await closeGrowingRenditions(tx, key.fileId)
  if (bytes !== 0) await countInProject(tx, key.projectId, { bytes })
  await changeMediaFile(tx, publicUrl, key, (file) => {
    if (isOver(file)) return { set: {} }
    const isPlayable = isPlayableState(file.state)
    return {
      set: {
        storage_bytes: file.storage_bytes + bytes,
        state: isPlayable ? ('degraded' as const) : ('failed' as const),
        error_message: message,
        ...(isPlayable ? { encoded_at: new Date(), announced_at: file.announced_at ?? new Date() } : {}),
      },
      events: ['file.failed', ...(isPlayable ? announcement(file) : [])],
    }
  })
}

export const setProgress = (database: Database, publicUrl: string, key: FileKey, percent: number) =>
  database.transaction((tx) =>
    changeMediaFile(tx, publicUrl, key, (file) => ({
      set: { encoding_progress: Math.max(file.encoding_progress, Math.min(99, Math.floor(percent))) },
    })),
  )

/** Adds bytes to the exact counters of the file and its project; renders the record anew with the renditions as they stand. */
export const addStorage = async (
  tx: Tx,
  publicUrl: string,
  key: FileKey & { readonly projectId: number },
  bytes: number,
): Promise<void> => {
  // The project's row is locked before the file's, here as everywhere, so that no two transactions wait for each other.
  if (bytes !== 0) await countInProject(tx, key.projectId, { bytes })
  await changeMediaFile(tx, publicUrl, key, (before) => ({
    set: { storage_bytes: before.storage_bytes + bytes },
  }))
}

/** Faults that a busy or full machine may cause as well as the source. */
const doubtfulCodes = new Set(['stalled', 'failed'])
const triesInDoubt = 3

/** True when the source is at fault, so that trying again would only repeat it; in doubt after a few tries. */
export const isHopeless = (error: unknown, attempt: { readonly number: number }): boolean =>
  error instanceof MediaError &&
  error.code !== 'aborted' &&
  (!doubtfulCodes.has(error.code) || attempt.number >= triesInDoubt)

export const failureMessage = (error: unknown): string =>
  error instanceof MediaError
    ? error.message
    : 'The file could not be processed because of a fault on our side; try it again.'
