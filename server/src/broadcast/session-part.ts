import type { LiveSink } from '@zoetrope/live'
import type { MediaMessage } from '@zoetrope/rtmp'

/**
 * Something that lives beside a broadcast and takes what it makes: a recording, a ladder, a push to elsewhere. Its functions are called in the
 * order of the stream, return at once and never throw: nothing beside a broadcast may slow it down or end it.
 */
export interface SessionPart {
  /** What the publisher sends, before it is packaged. */
  readonly onMessage?: (message: MediaMessage) => void
  /** What the packager makes of it. */
  readonly sink?: LiveSink
  /** The publisher has gone and may come back; its next messages begin with configurations. */
  readonly onGone?: () => void
  /** The broadcast is over, or this program ends. Resolves when nothing is left running. */
  readonly stop: (why: 'ended' | 'shutdown') => Promise<void>
}
