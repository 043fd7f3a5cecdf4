import type { LiveChannel } from '../channel/live-channel.ts'
import type { LiveWarnings } from '../health/live-warnings.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'
import type { Recorder } from '../outputs/recording/recorder.ts'
import type { ClaimedRecording } from '../outputs/recording/recordings.ts'
import type { BroadcastOutput } from '../channel/broadcast-output.ts'

export interface OutputContext {
  readonly stream: OwnedStream
  readonly broadcastId: number
  readonly channel: LiveChannel
  readonly warnings: LiveWarnings
  /** A recording to continue. */
  readonly left: ClaimedRecording | null
}

export interface OutputSet {
  readonly recorder: Recorder
  /** Outputs that feed the packager. They are stopped before it ends, because they still hold frames. */
  readonly transcoders: readonly BroadcastOutput[]
  readonly others: readonly BroadcastOutput[]
  /** Applies changes of rows other than the stream's, such as its targets. */
  readonly sync: () => void
}

/** Whether a setting has changed that a broadcast keeps from its beginning. */
export const isForNextBroadcast = (begun: OwnedStream, now: OwnedStream): boolean =>
  begun.is_low_latency !== now.is_low_latency ||
  begun.timeshift_seconds !== now.timeshift_seconds ||
  begun.is_transcoded !== now.is_transcoded ||
  JSON.stringify(begun.renditions) !== JSON.stringify(now.renditions) ||
  begun.kind !== now.kind
