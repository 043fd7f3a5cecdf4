import type { LiveChannel } from './live-channel.ts'
import type { LiveWarnings } from './live-warnings.ts'
import type { OwnedStream } from './owned-stream.ts'
import type { Recorder } from './recording/recorder.ts'
import type { SessionPart } from './session-part.ts'

/** What the parts of a session are made from. */
export interface SessionContext {
  readonly stream: OwnedStream
  readonly broadcastId: number
  readonly channel: LiveChannel
  readonly warnings: LiveWarnings
}

/** What lives beside a broadcast. */
export interface SessionParts {
  readonly recorder: Recorder
  /** Those that feed the packager: they are stopped before it ends, for what is still in them. */
  readonly feeders: readonly SessionPart[]
  /** The others. */
  readonly parts: readonly SessionPart[]
  /** Rows beside the stream have changed, such as its targets. */
  readonly sync: () => void
}

/** Settings that a broadcast keeps as they were when it began. */
export const isForNextBroadcast = (begun: OwnedStream, now: OwnedStream): boolean =>
  begun.is_low_latency !== now.is_low_latency ||
  begun.timeshift_seconds !== now.timeshift_seconds ||
  begun.is_transcoded !== now.is_transcoded ||
  JSON.stringify(begun.renditions) !== JSON.stringify(now.renditions) ||
  begun.kind !== now.kind
