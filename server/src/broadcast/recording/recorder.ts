import type { LiveSink, TrackFormat, TrackKind } from '@zoetrope/live'
import type { SessionPart } from '../session-part.ts'
import { planRound } from './plan-round.ts'
import { factsOf, readRound, RecordedPart } from './recorded-part.ts'
import type { RecordingFile } from './recording-file.ts'
import { Rounds, type Round } from './rounds.ts'

/** A file that the recorder writes, and what becomes of it. */
export interface RecordingInProgress {
  readonly file: RecordingFile
  /** No more comes; a reason where nobody told it to end. */
  readonly end: (reason: string | null) => RecordingEnd
}

/** Both never reject. */
export interface RecordingEnd {
  /** Its file is whole, and its row says so. */
  readonly closed: Promise<void>
  /** It is a File, or will become one by itself later: its bytes may have to be brought elsewhere. */
  readonly saved: Promise<unknown>
}

export interface RecorderHost {
  readonly begin: (formats: readonly TrackFormat[], startedAtMs: number) => RecordingInProgress
  /** What came could not be read. */
  readonly onUnreadable: (error: unknown) => void
  readonly longestSeconds: number
}

export interface RecorderState {
  readonly state: 'recording' | 'finishing'
  readonly sinceMs: number
  readonly sizeBytes: number
}

/** Keeps what is live in files, one behind the other where one cannot hold it all. */
export interface Recorder extends SessionPart {
  /** From the next key frame on that begins a segment. Does nothing where it records. */
  readonly start: () => void
  /** Resolves when what was recorded is in a whole file, which becomes a File by itself. It may be started again. */
  readonly finish: () => Promise<void>
  /** Ends for a reason of its own. It may be started again. */
  readonly halt: (reason: string) => void
  /** Null where nothing is recorded. */
  readonly state: () => RecorderState | null
}

interface OpenPart {
  readonly part: RecordedPart
  readonly inProgress: RecordingInProgress
  readonly sinceMs: number
}

export const createRecorder = (host: RecorderHost): Recorder => {
  const formats: Partial<Record<TrackKind, TrackFormat>> = {}
  let isOn = false
  let open: OpenPart | null = null
  let last: RecorderState | null = null
  const closing = new Set<Promise<void>>()
  const saving = new Set<Promise<unknown>>()

  const endPart = (reason: string | null): void => {
    if (open === null) return
    const { inProgress, sinceMs } = open
    open = null
    last = { state: 'finishing', sinceMs, sizeBytes: inProgress.file.sizeBytes() }
    const { closed, saved } = inProgress.end(reason)
    closing.add(closed)
    saving.add(saved)
    void closed.then(() => closing.delete(closed))
    void saved.then(() => saving.delete(saved))
  }

  const record = (round: Round): void => {
    const tracks = readRound(round)
    const plan = planRound(open?.part ?? null, factsOf(tracks), host.longestSeconds)
    if (plan !== 'append') endPart(null)
    if (plan === 'begin') {
      const sinceMs = tracks[0]!.segment.startedAtMs
      const inProgress = host.begin(
        tracks.map(({ format }) => format),
        sinceMs,
      )
      open = { part: new RecordedPart(inProgress.file, tracks), inProgress, sinceMs }
    }
    for (const track of tracks) open?.part.add(track)
  }

  const rounds = new Rounds((round) => {
    if (!isOn) return
    try {
      record(round)
    } catch (error) {
      endPart(null)
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
    endPart(null)
    await Promise.all(closing)
  }

  return {
    sink,
    start: () => {
      isOn = true
    },
    finish,
    halt: (reason) => {
      isOn = false
      endPart(reason)
    },
    state: () =>
      open === null
        ? saving.size > 0
          ? last
          : null
        : { state: 'recording', sinceMs: open.sinceMs, sizeBytes: open.inProgress.file.sizeBytes() },
    stop: finish,
  }
}
