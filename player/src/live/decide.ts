import type { StatusAnswer } from './watch-status.ts'

export interface NowPlaying {
  /** Start time of its broadcast. */
  readonly onlineSince: string | null
  readonly hasEnded: boolean
  readonly isPaused: boolean
  readonly stalledMs: number
}

export type Board = 'before' | 'starting' | 'interrupted' | 'ended' | 'unavailable'
export type Notice = 'interrupted' | 'connectionLost'

export interface Decision {
  readonly act: 'start' | 'restart' | 'stop' | 'nothing'
  /** Shown in place of the picture. Null while there is a picture. */
  readonly board: Board | null
  readonly notice: Notice | null
}

/** A shorter interruption needs no notice. */
const noticeAfterMs = 1_500
/** The engine recovers by itself within this time if it can. */
const restartAfterMs = 20_000

/** Returns the next action of the page. `isFresh`: the page has not shown a broadcast yet. */
export const decide = (answer: StatusAnswer, playing: NowPlaying | null, isFresh: boolean): Decision => {
  const nothing = (notice: Notice | null = null): Decision => ({ act: 'nothing', board: null, notice })
  const show = (board: Board): Decision => ({
    act: playing === null ? 'nothing' : 'stop',
    board,
    notice: null,
  })
  const isStalled = playing !== null && playing.stalledMs > noticeAfterMs

  if (answer.type === 'refused') return show('unavailable')
  if (answer.type === 'away') {
    if (playing === null)
      return { act: 'nothing', board: isFresh ? 'before' : 'ended', notice: 'connectionLost' }
    return nothing(isStalled ? 'connectionLost' : null)
  }
  const { State, OnlineSince } = answer.status
  if (State === 'online') {
    if (playing === null) return { act: 'start', board: 'starting', notice: null }
    const isAnother = playing.onlineSince !== OnlineSince
    if (isAnother || playing.hasEnded || playing.stalledMs > restartAfterMs)
      return { act: 'restart', board: null, notice: null }
    return nothing()
  }
  if (State === 'reconnecting') return playing === null ? show('interrupted') : nothing('interrupted')
  const over = isFresh && State === 'offline' ? 'before' : 'ended'
  if (playing === null) return show(over)
  // A viewer behind live sees the remaining media first.
  const isThrough = playing.hasEnded || isStalled || (playing.isPaused && State === 'offline')
  return isThrough ? show(over) : nothing()
}
