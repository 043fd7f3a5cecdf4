import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TrackFormat } from '@zoetrope/ll-hls'
import { StorageFullError, type BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { Problem } from '../../../../platform/base/problem.ts'
import { piecesPrefix } from '../../../control/store/left-pieces.ts'
import type { LiveRecordingRow } from '../../../control/store/live-recordings.ts'
import type { LiveStreamOwner } from '../../../control/store/live-stream-store.ts'
import type { LiveChannel } from '../../channel/live-channel.ts'
import { clipLast, type ClipRequest } from './clip-last.ts'
import { createFinishAside } from './finish-file/finish-file-aside.ts'
import { RecordedPart, type RecordedState } from './recorded-part.ts'
import {
  createRecorder,
  type LeftRecording,
  type Recorder,
  type RecordingEnd,
  type RecordingEnding,
  type RecordingInProgress,
} from './recorder.ts'
import { createRecordingFile, startOfRecording } from './recording-file.ts'
import { newRecordingName } from './recording-name.ts'
import {
  beginRecording,
  claimLeftRecording,
  closeRecording,
  type RecordingStoreDependencies,
} from './recording-store.ts'
import { createRecordingRoom, isDiskFull, type RecorderWarnings } from './recording-room.ts'
import { isNotFound } from './save-recording.ts'
import { createPieceList, readLastPiece } from './stored/recorded-pieces.ts'
import { createStoredRecording, type StoredRecording } from './stored/stored-recording.ts'
import { createUnsavedRecordings } from './unsaved-recordings.ts'

export interface RecordingsOptions extends RecordingStoreDependencies {
  readonly blobs: BlobStore
  readonly log: Log
  /** Must be on local disk, preferably that of the media store. Recordings stay here until they are Files. */
  readonly folder: string
  readonly nodeId: string
  /** Where recordings are until they are Files. */
  readonly storage: 'disk' | 'media'
  /** False when another node may have taken over the streams of this one long ago. */
  readonly mayWrite: () => boolean
  readonly isRunningHere: (nodeId: string) => Promise<boolean>
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
  /** Count of changes of the owner of the stream. */
  readonly epoch: number
  readonly warnings: RecorderWarnings
  readonly left: ClaimedRecording | null
}

/** A recording in the media storage that the former owner of the stream has left. */
export interface ClaimedRecording {
  readonly row: LiveRecordingRow
  readonly last: Awaited<ReturnType<typeof readLastPiece>>
}

/**
 * All recordings of a live node: those in progress, those that become Files, and those that a killed node
 * left in its folder.
 */
export interface Recordings {
  /** Must be called before the recorder of a broadcast that another node may have recorded. */
  readonly claimLeft: (
    owner: LiveStreamOwner & Pick<RecorderContext, 'broadcastId' | 'epoch'>,
  ) => Promise<ClaimedRecording | null>
  readonly createRecorder: (context: RecorderContext) => Recorder
  /**
   * Makes a File of the last seconds of a broadcast and returns its id. Throws 'conflict' when nothing is
   * live.
   */
  readonly clipLast: (channel: LiveChannel, request: ClipRequest) => Promise<number>
  /** Resolves when all work has ended. Recorders must be stopped first. */
  readonly stop: () => Promise<void>
}

type Closable = RecordingInProgress['file'] & { readonly close: () => Promise<void> }

const faultReason = (error: unknown, isStored: boolean): string => {
  if (error instanceof StorageFullError) return 'The media storage is full.'
  if (isStored) return 'The recording could not be written to the media storage.'
  return isDiskFull(error) ? 'The disk is full.' : 'The recording could not be written to disk.'
}

/** A limit other than the free space, such as that of inodes, can also make writes fail. */
const faultPauseMs = 60_000
const defaultLookEveryMs = 5_000
/** An outage of the database does not delay a recording; its row is changed later. */
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

  /** Changes the row while the bytes are written, however long that takes. */
  const untilStored = async (change: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await change()
      } catch (error) {
        if (isNotFound(error) || stopped.signal.aborted) return
        log.warn({ err: error }, 'cannot store a recording in the database yet')
        await delay(rowPauseMs, null, { signal: stopped.signal, ref: false }).catch(() => {})
      }
    }
  }

  const newRecorder = ({ stream, broadcastId, epoch, warnings, left }: RecorderContext): Recorder => {
    const isStored = options.storage === 'media'
    let retryAtMs = 0
    const onFault = (error: unknown): void => {
      log.error({ err: error, projectId: stream.projectId }, 'cannot write a recording')
      const reason = faultReason(error, isStored)
      warnings.raise('recording_stopped', `Recording has stopped: ${reason}`)
      const isPassing = !isStored && isDiskFull(error)
      if (isPassing) retryAtMs = performance.now() + faultPauseMs
      if (isPassing) recorder.pause(reason)
      else recorder.halt(reason)
    }

    const inProgressOf = (
      opened: { readonly fileName: string; readonly startedAt: Date; readonly epoch?: number },
      file: Closable,
      hasRow: Promise<void>,
    ): RecordingInProgress => {
      const { fileName } = opened
      const letGo = unsaved.hold(fileName)
      aside.prepare()
      const close = async (ending: RecordingEnding): Promise<void> => {
        try {
          await Promise.all([file.close(), hasRow])
          // Otherwise the next owner of the stream would continue a recording that has ended.
          await untilStored(() => closeRecording(options, { ...stream, ...opened, broadcastId }, ending))
        } catch (error) {
          log.warn({ err: error, projectId: stream.projectId }, 'cannot save a recording; retrying later')
        }
        letGo()
      }
      const end = (ending: RecordingEnding): RecordingEnd => {
        const closed = close(ending)
        return { closed, saved: closed.then(() => unsaved.save(fileName)) }
      }
      const leave = async (): Promise<void> => {
        await Promise.all([file.close(), hasRow])
        letGo()
      }
      return { file, end, leave: opened.epoch === undefined ? null : leave }
    }

    const store = (
      fileName: string,
      from: { readonly start: Promise<Buffer> | null; readonly startOffset: number },
      hasRow: Promise<void>,
    ): StoredRecording =>
      createStoredRecording({
        ...from,
        blobs: options.blobs,
        prefix: `${piecesPrefix(fileName)}e${epoch}-`,
        list: createPieceList(options.database, { fileName, epoch }, hasRow),
        mayWrite: options.mayWrite,
        onFault,
        signal: stopped.signal,
      })

    const beginStored = (formats: readonly TrackFormat[], startedAt: Date): RecordingInProgress => {
      const recording = { ...stream, broadcastId, startedAt }
      // The former owner was lost before it stored anything.
      const fileName = unused?.row.file_name ?? newRecordingName(recording)
      unused = null
      const tracks = formats.map(({ kind, initSegment }) => ({
        kind,
        initSegment: initSegment.toString('base64'),
      }))
      const hasRow = untilStored(() =>
        beginRecording(options, {
          ...recording,
          fileName,
          nodeId: options.nodeId,
          stored: { epoch, tracks },
        }),
      )
      const file = store(fileName, { start: startOfRecording(formats), startOffset: 0 }, hasRow)
      return inProgressOf({ fileName, startedAt, epoch }, file, hasRow)
    }

    const beginOnDisk = (formats: readonly TrackFormat[], startedAt: Date): RecordingInProgress => {
      const recording = { ...stream, broadcastId, startedAt }
      const fileName = newRecordingName(recording)
      const file = createRecordingFile(join(folder, fileName), formats, onFault)
      const hasRow = untilStored(() =>
        beginRecording(options, { ...recording, fileName, nodeId: options.nodeId }),
      )
      return inProgressOf({ fileName, startedAt }, file, hasRow)
    }

    const resume = ({ row, last }: ClaimedRecording): LeftRecording | null => {
      if (last === null) return null
      const { file_name: fileName, started_at: startedAt } = row
      const startOffset = last.startOffset + last.sizeBytes
      const file = store(fileName, { start: null, startOffset }, Promise.resolve())
      const inits = (row.tracks ?? []).map(({ kind, initSegment }) => ({
        kind,
        initSegment: Buffer.from(initSegment, 'base64'),
      }))
      return {
        part: RecordedPart.resume(file, inits, last.state as RecordedState),
        inProgress: inProgressOf({ fileName, startedAt, epoch }, file, Promise.resolve()),
        startedAtMs: startedAt.getTime(),
      }
    }

    let unused = left?.last === null ? left : null
    const recorder = createRecorder({
      longestSeconds: options.maxHours * 3_600,
      left: left === null ? null : resume(left),
      onUnreadable: (error) =>
        log.error({ err: error, projectId: stream.projectId }, 'cannot record a segment'),
      begin: (formats, startedAtMs) => {
        warnings.clear('recording_stopped')
        return (isStored ? beginStored : beginOnDisk)(formats, new Date(startedAtMs))
      },
    })
    const leave = room.enter({
      projectId: stream.projectId,
      warnings,
      isOnDisk: !isStored,
      sizeBytes: () => {
        const state = recorder.state()
        return state?.state === 'recording' ? state.sizeBytes : 0
      },
      halt: recorder.halt,
      pause: recorder.pause,
      isPaused: () => recorder.isPaused() && performance.now() >= retryAtMs,
      resume: recorder.resume,
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
    claimLeft: async (owner) => {
      if (options.storage === 'disk') return null
      const row = await claimLeftRecording(options, { ...owner, nodeId: options.nodeId })
      return row === undefined ? null : { row, last: await readLastPiece(options.database.kysely, row.id) }
    },
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
