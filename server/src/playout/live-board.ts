import { toTimestampOrNull } from '../kernel/timestamp.ts'
import type { LiveStreamFacts } from './live-access.ts'

/** What a player shows of a stream that it cannot, or not yet, play. */
export interface LiveBoard {
  readonly State: 'offline' | 'online' | 'reconnecting' | 'ended'
  readonly Title: string
  readonly OnlineSince: string | null
  readonly IsLowLatency: boolean
}

export const liveBoard = (
  { title, onlineSince, isLowLatency }: LiveStreamFacts,
  state: LiveBoard['State'],
): LiveBoard => ({
  State: state,
  Title: title,
  OnlineSince: state === 'offline' ? null : toTimestampOrNull(onlineSince),
  IsLowLatency: isLowLatency,
})

/** Of a stream that no node serves now. One that was live goes on with the next node, or the same one when it is back. */
export const stateWithoutNode = ({ state }: LiveStreamFacts): LiveBoard['State'] =>
  state === 'online' || state === 'reconnecting' ? 'reconnecting' : 'offline'
