import { Problem } from '../../../platform/base/problem.ts'
import { nothing } from '../../../playback/access/find-playout.ts'

export interface StoredRendition {
  readonly segment: (number: number) => { readonly sizeBytes: number } | undefined
  readonly read: (number: number) => readonly Buffer[] | Promise<readonly Buffer[]> | undefined
}

export interface TakenSegment {
  readonly pieces: Promise<readonly Buffer[]>
  /** Must be called once, after the bytes have been sent. */
  readonly release: () => void
}

export interface StoredSegments {
  /**
   * Throws 'unavailable' at the memory limit. `pieces` rejects with 'not_found' when the segment has been
   * dropped.
   */
  readonly take: (rendition: StoredRendition, number: number) => TakenSegment
  /** Drops segments that have been idle for 30 seconds. */
  readonly sweep: () => void
}

export interface StoredSegmentLimits {
  /** Limit of all bytes in memory: those in transit and the idle ones. */
  readonly heldBytes: number
  /** Limit of the bytes kept for the next request: viewers behind live are often at the same position. */
  readonly idleBytes: number
}

interface Held {
  readonly sizeBytes: number
  readonly pieces: Promise<readonly Buffer[]>
  readonly evict: () => void
  userCount: number
  idleSinceMs: number
}

const idleMs = 30_000

/**
 * Reads each segment once for all concurrent viewers, and counts the bytes until the slowest viewer has them.
 */
export const createStoredSegments = (now: () => number, limits: StoredSegmentLimits): StoredSegments => {
  const heldOf = new WeakMap<StoredRendition, Map<number, Held>>()
  /** Segments without users, longest idle first. */
  const idle = new Set<Held>()
  let heldBytes = 0
  let idleBytes = 0

  const leaveIdle = (held: Held): void => {
    if (idle.delete(held)) idleBytes -= held.sizeBytes
  }
  const drop = (held: Held): void => {
    leaveIdle(held)
    held.evict()
    heldBytes -= held.sizeBytes
  }
  const dropIdleWhile = (isToGo: (oldest: Held) => boolean): void => {
    for (const oldest of idle) {
      if (!isToGo(oldest)) return
      drop(oldest)
    }
  }

  const begin = (rendition: StoredRendition, number: number): Held => {
    const segment = rendition.segment(number)
    if (segment === undefined) throw nothing()
    const { sizeBytes } = segment
    dropIdleWhile(() => heldBytes + sizeBytes > limits.heldBytes)
    if (heldBytes + sizeBytes > limits.heldBytes) throw tooMuch()
    const ofRendition = heldOf.get(rendition) ?? new Map<number, Held>()
    heldOf.set(rendition, ofRendition)
    const held: Held = {
      sizeBytes,
      pieces: piecesOf(rendition, number),
      evict: () => {
        if (ofRendition.get(number) === held) ofRendition.delete(number)
      },
      userCount: 0,
      idleSinceMs: 0,
    }
    heldBytes += sizeBytes
    ofRendition.set(number, held)
    // The next request reads it again.
    held.pieces.catch(held.evict)
    return held
  }

  const release = (held: Held, isThere: boolean): void => {
    held.userCount--
    if (held.userCount > 0) return
    if (!isThere) return drop(held)
    held.idleSinceMs = now()
    idle.add(held)
    idleBytes += held.sizeBytes
    dropIdleWhile(() => idleBytes > limits.idleBytes)
  }

  return {
    take: (rendition, number) => {
      const held = heldOf.get(rendition)?.get(number) ?? begin(rendition, number)
      leaveIdle(held)
      held.userCount++
      return {
        pieces: held.pieces,
        release: () =>
          void held.pieces.then(
            () => release(held, true),
            () => release(held, false),
          ),
      }
    },
    sweep: () => dropIdleWhile(({ idleSinceMs }) => idleSinceMs + idleMs <= now()),
  }
}

const piecesOf = async (rendition: StoredRendition, number: number): Promise<readonly Buffer[]> => {
  const pieces = await Promise.resolve(rendition.read(number)).catch((error: unknown) => {
    throw gone(error)
  })
  if (pieces === undefined) throw nothing()
  return pieces
}

/** Not an error: a full disk may drop the oldest segments of the window at any moment. */
const gone = (cause: unknown): Problem => new Problem('nothing_to_play', {}, { cause })

const tooMuch = (): Problem => new Problem('dvr_busy', {}, { headers: { 'Retry-After': '1' } })
