import type { LiveSink } from '@zoetrope/ll-hls'
import type { MediaMessage } from '@zoetrope/rtmp'

/**
 * An output of a broadcast, such as a recording, a ladder or a push to a target. Its functions are called in
 * stream order, return at once and never throw, because no output may slow down or end the broadcast.
 */
export interface BroadcastOutput {
  /** Receives the messages of the publisher before they are packaged. */
  readonly onMessage?: (message: MediaMessage) => void
  readonly sink?: LiveSink
  /** The publisher has left and may return; its next messages begin with configurations. */
  readonly onGone?: () => void
  /**
   * Ends the output because the broadcast is over or the process stops. Resolves when all its work has ended.
   */
  readonly stop: (why: 'ended' | 'shutdown') => Promise<void>
}
