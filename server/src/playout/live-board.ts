import { toTimestampOrNull } from '../kernel/timestamp.ts'
import type { LiveStreamFacts } from './live-access.ts'

/** What a player shows of a stream that it cannot, or not yet, play. */
export interface LiveBoard {
  readonly State: 'offline' | 'online' | 'reconnecting' | 'ended'
  readonly Title: string
  /** Until a broadcast begins; empty = the player's own words. */
  readonly BoardText: string
  /** After one, likewise. */
  readonly EndedText: string
  /** Whether there is a poster.jpg. */
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

/** Of a stream that no node serves now. One that was live goes on with the next node, or the same one when it is back. */
export const stateWithoutNode = ({ state }: LiveStreamFacts): LiveBoard['State'] =>
  state === 'online' || state === 'reconnecting' ? 'reconnecting' : 'offline'
