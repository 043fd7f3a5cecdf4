import { toTimestampOrNull } from '../../platform/base/timestamp.ts'
import type { LiveStreamFacts } from './live-access.ts'

export interface LiveBoard {
  readonly State: 'offline' | 'online' | 'reconnecting' | 'ended'
  readonly Title: string
  /** Shown before a broadcast; empty = the player's default text. */
  readonly BoardText: string
  /** Shown after a broadcast; empty = the player's default text. */
  readonly EndedText: string
  readonly HasPoster: boolean
  readonly OnlineSince: string | null
  readonly IsLowLatency: boolean
}

export const liveBoard = (
  { title, boardText, endedText, hasPoster, onlineSince, isLowLatency }: LiveStreamFacts,
  state: LiveBoard['State'],
): LiveBoard => ({
  State: state,
  Title: title,
  BoardText: boardText,
  EndedText: endedText,
  HasPoster: hasPoster,
  OnlineSince: state === 'offline' ? null : toTimestampOrNull(onlineSince),
  IsLowLatency: isLowLatency,
})

/**
 * Returns the state of a stream that no node serves. A live broadcast continues on the next node, or on the
 * same one when it returns.
 */
export const stateWithoutNode = ({ state }: LiveStreamFacts): LiveBoard['State'] =>
  state === 'online' || state === 'reconnecting' ? 'reconnecting' : 'offline'
