import type { Rendition } from '../renditions/rendition.ts'

/** Values of the `_HLS_msn` and `_HLS_part` query parameters. */
export interface ReloadRequest {
  readonly number: number
  /** Zero-based. When omitted, the request waits for the whole segment. */
  readonly part?: number
}

/** On `wait`, the caller retries after the rendition has changed. */
export type ReloadAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'wait' }
  | { readonly type: 'refuse'; readonly reason: string }

/** Maximum number of seconds of parts that a request may be ahead. */
const advanceSeconds = 3

/**
 * RFC 8216bis 6.2.5.2: decides whether the server can return the requested playlist now, must block, or
 * rejects the request.
 */
export const answerReload = (
  rendition: Pick<Rendition, 'segments' | 'openParts' | 'currentSegment'>,
  request: ReloadRequest,
  { partTargetSeconds, hasEnded }: { partTargetSeconds: number; hasEnded: boolean },
): ReloadAnswer => {
  const { number: open } = rendition.currentSegment
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

/** A part index past the end of its segment refers to the first part of the next segment. */
const isThere = (
  { segments, openParts, currentSegment }: Pick<Rendition, 'segments' | 'openParts' | 'currentSegment'>,
  number: number,
  part: number | undefined,
): boolean => {
  if (part === undefined || number < currentSegment.number - 1) return true
  const last = segments.at(-1)
  return last === undefined || part < last.parts.length || openParts.length > 0
}
