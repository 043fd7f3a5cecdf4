import type { Rendition } from './rendition.ts'

/** What `_HLS_msn` and `_HLS_part` asked for. */
export interface ReloadRequest {
  readonly number: number
  /** Counts from 0; left out, the whole segment is waited for. */
  readonly part?: number
}

/** `wait` until the rendition has changed, and ask again. */
export type ReloadAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'wait' }
  | { readonly type: 'refuse'; readonly reason: string }

/** How many seconds of parts a request may be ahead. */
const advanceSeconds = 3

/** RFC 8216bis 6.2.5.2: whether a playlist that must have what is asked for is there, will be, or is nothing to wait for. */
export const answerReload = (
  rendition: Pick<Rendition, 'segments' | 'openParts' | 'opening'>,
  request: ReloadRequest,
  { partTargetSeconds, hasEnded }: { partTargetSeconds: number; hasEnded: boolean },
): ReloadAnswer => {
  const { number: open } = rendition.opening
  const { number, part } = request
  if (hasEnded || number < open) return hasEnded || isThere(rendition, number, part) ? ready : wait
  if (number > open + 1) return { type: 'refuse', reason: `Segment ${number} is more than two ahead.` }
  if (part === undefined) return wait
  const partsAhead = part + 1 - (number === open ? rendition.openParts.length : 0)
  if (partsAhead > Math.ceil(advanceSeconds / Math.min(1, partTargetSeconds)))
    return { type: 'refuse', reason: `Part ${part} of segment ${number} is too far ahead.` }
  return number === open && part < rendition.openParts.length ? ready : wait
}

const ready: ReloadAnswer = { type: 'ready' }
const wait: ReloadAnswer = { type: 'wait' }

/** A part behind the last one of its segment means the first one of the next. */
const isThere = (
  { segments, openParts, opening }: Pick<Rendition, 'segments' | 'openParts' | 'opening'>,
  number: number,
  part: number | undefined,
): boolean => {
  if (part === undefined || number < opening.number - 1) return true
  const last = segments.at(-1)
  return last === undefined || part < last.parts.length || openParts.length > 0
}
