import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { Problem } from '../../../../platform/base/problem.ts'
import type { LiveStreamOwner } from '../../../control/store/live-stream-store.ts'
import type { LiveChannel } from '../../channel/live-channel.ts'
import { clipLast, type ClipRequest } from './clip-last.ts'
import { createFinishAside } from './finish-file-aside.ts'
import { createRecorder, type Recorder, type RecordingEnd, type RecordingInProgress } from './recorder.ts'
import { createRecordingFile } from './recording-file.ts'
import { newRecordingName } from './recording-name.ts'
import { beginRecording, closeRecording, type RecordingStoreDependencies } from './recording-store.ts'
import { createRecordingRoom, isDiskFull, type RecorderWarnings } from './recording-room.ts'
import { isNotFound } from './save-recording.ts'
import { createUnsavedRecordings } from './unsaved-recordings.ts'

export interface RecordingsOptions extends RecordingStoreDependencies {
  readonly blobs: BlobStore
  readonly log: Log
  /** Must be on local disk, preferably that of the media store. Recordings stay here until they are Files. */
  readonly folder: string
  readonly nodeId: string
  readonly maxHours: number
  /**
   * Returns the bytes that can still be written to the disk of the folder; reads the file system by default.
   */
  readonly freeBytes?: () => Promise<number>
  /** Time without a change after which a file without a row counts as abandoned. */
  readonly strayAfterMs?: number
  /** Interval of the checks for unsaved recordings and for free space. */
  readonly lookEveryMs?: number
}

export interface RecorderContext {
  readonly stream: LiveStreamOwner
  readonly broadcastId: number
  readonly warnings: RecorderWarnings
}

/**
 * All recordings of a live node: those in progress, those that become Files, and those that a killed node
 * left in its folder.
 */
export interface Recordings {
  readonly createRecorder: (context: RecorderContext) => Recorder
  /**
   * Makes a File of the last seconds of a broadcast and returns its id. Throws 'conflict' when nothing is
   * live.
   */
  readonly clipLast: (channel: LiveChannel, request: ClipRequest) => Promise<number>
  /** Resolves when all work has ended. Recorders must be stopped first. */
  readonly stop: () => Promise<void>
}

const defaultLookEveryMs = 5_000
/** An outage of the database does not delay a recording; its row is inserted later. */
const rowPauseMs = 1_000

export const openRecordings = async (options: RecordingsOptions): Promise<Recordings> => {
  const { folder, log } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stopped = new AbortController()
  const aside = createFinishAside()
  const unsaved = createUnsavedRecordings({ ...options, finishFile: aside.finish })
  const room = createRecordingRoom(options)
  /** Projects of which a clip is being made: each clip takes as much space and disk time as a recording. */
  const clipped = new Set<number>()

  /** Inserts the row while the bytes are written, however long that takes. */
  const insertRow = async (begin: () => Promise<void>): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        return await begin()
      } catch (error) {
        if (isNotFound(error)) return
        log.warn({ err: error }, 'cannot store a recording in the database yet')
        await delay(rowPauseMs, null, { signal: stopped.signal, ref: false }).catch(() => {})
      }
    }
  }

  const newRecorder = ({ stream, broadcastId, warnings }: RecorderContext): Recorder => {
    const recorder = createRecorder({
      longestSeconds: options.maxHours * 3_600,
      onUnreadable: (error) =>
        log.error({ err: error, projectId: stream.projectId }, 'cannot record a segment'),
      begin: (formats, startedAtMs): RecordingInProgress => {
        const recording = { ...stream, broadcastId, startedAt: new Date(startedAtMs) }
        const fileName = newRecordingName(recording)
        const letGo = unsaved.hold(fileName)
        aside.prepare()
        warnings.clear('recording_stopped')
        const file = createRecordingFile(join(folder, fileName), formats, (error) => {
          log.error({ err: error, projectId: stream.projectId }, 'cannot write a recording')
          const reason = isDiskFull(error)
            ? 'The disk is full.'
            : 'The recording could not be written to disk.'
          warnings.raise('recording_stopped', `Recording has stopped: ${reason}`)
          recorder.halt(reason)
        })
        const hasRow = insertRow(() =>
          beginRecording(options, { ...recording, fileName, nodeId: options.nodeId }),
        )
        const close = async (reason: string | null): Promise<void> => {
          try {
            await Promise.all([file.close(), hasRow])
            await closeRecording(options, { ...recording, fileName }, reason)
          } catch (error) {
            log.warn({ err: error, projectId: stream.projectId }, 'cannot save a recording; retrying later')
          }
          letGo()
        }
        const end = (reason: string | null): RecordingEnd => {
          const closed = close(reason)
          return { closed, saved: closed.then(() => unsaved.save(fileName)) }
        }
        return { file, end }
      },
    })
    const leave = room.enter({
      projectId: stream.projectId,
      warnings,
      sizeBytes: () => {
        const state = recorder.state()
        return state?.state === 'recording' ? state.sizeBytes : 0
      },
      halt: recorder.halt,
    })
    return {
      ...recorder,
      stop: async (why) => {
        leave()
        await recorder.stop(why)
      },
    }
  }

  const every = async (work: () => Promise<void>): Promise<void> => {
    const pauseMs = options.lookEveryMs ?? defaultLookEveryMs
    while (!stopped.signal.aborted) {
      await work().catch((error: unknown) => log.warn({ err: error }, 'cannot check recordings'))
      await delay(pauseMs, null, { signal: stopped.signal, ref: false }).catch(() => {})
    }
  }
  const looking = [every(unsaved.saveAll), every(room.look)]

  return {
    createRecorder: newRecorder,
    clipLast: async (channel, request) => {
      const { projectId } = channel
      if (clipped.has(projectId)) throw new Problem('clip_busy')
      clipped.add(projectId)
      try {
        const { hold, save } = unsaved
        return await clipLast({ ...options, hold, save, checkRoom: room.check }, channel, request)
      } finally {
        clipped.delete(projectId)
      }
    },
    stop: async () => {
      stopped.abort()
      await Promise.all(looking)
      await unsaved.settled()
      await aside.stop()
    },
  }
}
