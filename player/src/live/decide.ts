import type { StatusAnswer } from './watch-status.ts'

/** What is played now, if anything is. */
export interface NowPlaying {
  /** Of the broadcast that it belongs to. */
  readonly onlineSince: string | null
  readonly hasEnded: boolean
  readonly isPaused: boolean
  /** For how long it has wanted to go on and did not. */
  readonly stalledMs: number
}

export type Board = 'before' | 'starting' | 'interrupted' | 'ended' | 'unavailable'
export type Notice = 'interrupted' | 'connectionLost'

export interface Decision {
  readonly act: 'start' | 'restart' | 'stop' | 'nothing'
  /** Stands where the picture would be; null while there is one. */
  readonly board: Board | null
  /** Stands over the picture. */
  readonly notice: Notice | null
}

/** A hiccup is not worth a word. */
const noticeAfterMs = 1_500
/** The engine mends what it can by itself before. */
const restartAfterMs = 20_000

/** What the page does next. `isFresh`: no broadcast has been seen on it yet. */
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
  // Who is behind sees the rest.
  const isThrough = playing.hasEnded || isStalled || (playing.isPaused && State === 'offline')
  return isThrough ? show(over) : nothing()
}
