import type { LiveSink, TrackFormat, TrackKind } from '@zoetrope/ll-hls'
import type { BroadcastOutput } from '../../channel/broadcast-output.ts'
import { planRound } from './plan-round.ts'
import { factsOf, newPart, readRound, type FragmentWriter, type RecordedPart } from './recorded-part.ts'
import { Rounds, type Round } from './rounds.ts'

export interface RecordingInProgress {
  readonly file: FragmentWriter & { readonly sizeBytes: () => number }
  readonly end: (ending: RecordingEnding) => RecordingEnd
  /** Stores what was recorded, so that the next owner of the stream continues the file. Null when none can. */
  readonly leave: (() => Promise<void>) | null
}

export interface RecordingEnding {
  /** Null when the end was requested. */
  readonly reason: string | null
  /** False when nothing more is recorded until a user requests it again. */
  readonly isWanted: boolean
}

const requested: RecordingEnding = { reason: null, isWanted: true }

/** A recording that the former owner of the stream has left. */
export interface LeftRecording {
  readonly part: RecordedPart
  readonly inProgress: RecordingInProgress
  readonly startedAtMs: number
}

/** Neither promise rejects. */
export interface RecordingEnd {
  /** Resolves when the file is complete and its row says so. */
  readonly closed: Promise<void>
  /** Resolves when the recording is a File, or becomes one later; its bytes may have to be moved first. */
  readonly saved: Promise<unknown>
}

export interface RecorderHost {
  readonly begin: (formats: readonly TrackFormat[], startedAtMs: number) => RecordingInProgress
  /** Called when media could not be read. */
  readonly onUnreadable: (error: unknown) => void
  readonly longestSeconds: number
  readonly left?: LeftRecording | null
}

export interface RecorderState {
  readonly state: 'recording' | 'finishing'
  readonly sinceMs: number
  readonly sizeBytes: number
}

/** Records a broadcast to files. It begins another file when one cannot hold all. */
export interface Recorder extends BroadcastOutput {
  /** Records from the next segment that begins with a key frame. Does nothing while it records. */
  readonly start: () => void
  /**
   * Resolves when the recording is a complete file, which then becomes a File by itself. Recording may be
   * started again.
   */
  readonly finish: () => Promise<void>
  /** Stops with a reason, without a request. Recording may be started again. */
  readonly halt: (reason: string) => void
  /** Stops with a reason. Recording continues in another file after `resume`, if it is still wanted then. */
  readonly pause: (reason: string) => void
  readonly resume: () => void
  readonly isPaused: () => boolean
  /** Null when nothing is recorded. */
  readonly state: () => RecorderState | null
}

export const createRecorder = (host: RecorderHost): Recorder => {
  const formats: Partial<Record<TrackKind, TrackFormat>> = {}
  let isOn = false
  let isPaused = false
  let open: LeftRecording | null = host.left ?? null
  let last: RecorderState | null = null
  const closing = new Set<Promise<void>>()
  const saving = new Set<Promise<unknown>>()

  const endPart = (ending: RecordingEnding): void => {
    if (open === null) return
    const { inProgress, startedAtMs: sinceMs } = open
    open = null
    last = { state: 'finishing', sinceMs, sizeBytes: inProgress.file.sizeBytes() }
    const { closed, saved } = inProgress.end(ending)
    closing.add(closed)
    saving.add(saved)
    void closed.then(() => closing.delete(closed))
    void saved.then(() => saving.delete(saved))
  }

  const record = (round: Round): void => {
    const tracks = readRound(round)
    const placed = open?.part.place(tracks) ?? tracks
    const plan = planRound(open?.part ?? null, factsOf(placed), host.longestSeconds)
    if (plan !== 'append') endPart(requested)
    if (plan === 'begin') {
      const startedAtMs = tracks[0]!.segment.startedAtMs
      const inProgress = host.begin(
        tracks.map(({ format }) => format),
        startedAtMs,
      )
      open = { part: newPart(inProgress.file, tracks), inProgress, startedAtMs }
    }
    for (const track of plan === 'begin' ? tracks : placed) open?.part.add(track)
    open?.part.endRound()
  }

  const rounds = new Rounds((round) => {
    if (!isOn || isPaused) return
    try {
      record(round)
    } catch (error) {
      endPart(requested)
      host.onUnreadable(error)
    }
  })

  const sink: LiveSink = {
    onInit: (kind, _version, format) => {
      rounds.addKind(kind)
      formats[kind] = format
    },
    onSegment: (kind, segment) => {
      const format = formats[kind]
      if (format) rounds.add(kind, { segment, format, pieces: segment.parts.map(({ data }) => data) })
    },
  }

  const finish = async (): Promise<void> => {
    rounds.flush()
    isOn = false
    endPart(requested)
    await Promise.all(closing)
  }

  const leave = async (): Promise<void> => {
    rounds.flush()
    isOn = false
    const left = open?.inProgress.leave?.()
    if (left === undefined) return finish()
    open = null
    await Promise.all([left, ...closing])
  }

  return {
    sink,
    start: () => {
      isOn = true
    },
    finish,
    halt: (reason) => {
      isOn = false
      endPart({ reason, isWanted: false })
    },
    pause: (reason) => {
      isPaused = true
      endPart({ reason, isWanted: true })
    },
    resume: () => {
      isPaused = false
    },
    isPaused: () => isPaused,
    state: () =>
      open === null
        ? saving.size > 0
          ? last
          : null
        : { state: 'recording', sinceMs: open.startedAtMs, sizeBytes: open.inProgress.file.sizeBytes() },
    stop: (why) => (why === 'shutdown' ? leave() : finish()),
  }
}
