import type { Part } from '@zoetrope/hls'
import type { SeenPlaylist, SeenSegment } from './live-playlist.ts'

const rounding = 2e-6
/** Permitted drift between the clocks of server and publisher over a segment. */
const stampToleranceMs = 500
const latestEdgeMs = 5_000
const earliestEdgeMs = -1_000

/**
 * Rules for the playlists of one rendition over all broadcasts of a stream, as one player sees them in turn.
 * Each check returns the violations.
 */
export class TrackRules {
  #last: SeenPlaylist | null = null
  readonly #meanings = new Map<string, string>()
  /** Segments already checked: delta updates reuse the same objects. */
  readonly #checked = new WeakSet<SeenSegment>()
  readonly #breaks = new Set<number>()
  readonly #gaps = new Map<string, boolean>()
  readonly #lost = new Set<string>()

  get breaks(): number {
    return this.#breaks.size
  }
  get lost(): number {
    return this.#lost.size
  }

  /**
   * `isFlowing`: a publisher has been sending for a while, so the end of the playlist is near the current
   * time.
   */
  check(
    playlist: SeenPlaylist,
    { isNewBroadcast, isFlowing }: { isNewBroadcast: boolean; isFlowing: boolean },
  ) {
    const faults: string[] = []
    const claim = (isTrue: boolean, fault: () => string): void => {
      if (!isTrue) faults.push(fault())
    }
    const last = this.#last
    this.#last = playlist
    const { open, segments, firstNumber, targetDurationSeconds, partTargetSeconds } = playlist
    if (last !== null) {
      claim(
        firstNumber >= last.firstNumber,
        () => `MEDIA-SEQUENCE from ${last.firstNumber} to ${firstNumber}`,
      )
      const isForward =
        open.number > last.open.number ||
        (open.number === last.open.number &&
          (playlist.hasEnded || open.parts.length >= last.open.parts.length))
      claim(
        isForward,
        () =>
          `back from ${last.open.number}.${last.open.parts.length} to ${open.number}.${open.parts.length}`,
      )
      if (!isNewBroadcast && !playlist.hasEnded)
        claim(
          targetDurationSeconds === last.targetDurationSeconds &&
            partTargetSeconds === last.partTargetSeconds,
          () =>
            `targets ${last.targetDurationSeconds}/${last.partTargetSeconds} became ${targetDurationSeconds}/${partTargetSeconds}`,
        )
    }
    for (const segment of segments) {
      if (this.#checked.has(segment)) continue
      this.#checked.add(segment)
      if (segment.isBreak) this.#breaks.add(segment.number)
      claim(
        Math.round(segment.durationSeconds) <= targetDurationSeconds,
        () => `${segment.uri} lasts ${segment.durationSeconds} s`,
      )
      this.#claimSegment(segment, claim)
      for (const part of segment.parts) this.#claimPart(part, playlist, claim)
    }
    if (open.isBreak) this.#breaks.add(open.number)
    for (const part of open.parts) this.#claimPart(part, playlist, claim)
    this.#claimStarts(playlist, claim)
    if (isFlowing && !playlist.hasEnded) claimEdge(playlist, claim)
    return faults
  }

  /**
   * A killed node loses its newest segments: they become gaps, once, whose duration is an estimate. A segment that was a
   * gap before, such as the end of a track without frames, is lost in the same way.
   */
  #claimSegment(segment: SeenSegment, claim: Claim): void {
    const { uri, number, initUri, durationSeconds, isBreak, breakNumber, isGap, startedAtMs } = segment
    const meaning = { number, initUri, durationSeconds, isBreak, breakNumber, startedAtMs }
    const wasGap = this.#gaps.get(uri)
    this.#gaps.set(uri, isGap)
    const isLost = isGap && (wasGap === false || this.#meanings.get(uri) !== JSON.stringify(meaning))
    if (wasGap !== undefined && isLost && !this.#lost.has(uri)) {
      this.#lost.add(uri)
      this.#meanings.delete(uri)
    }
    this.#claimMeaning(uri, meaning, claim)
  }

  #claimMeaning(uri: string, meaning: object, claim: Claim): void {
    const text = JSON.stringify(meaning)
    const known = this.#meanings.get(uri) ?? text
    this.#meanings.set(uri, text)
    claim(known === text, () => `${uri} was ${known} and is ${text}`)
  }

  #claimPart(part: Part, { partTargetSeconds }: SeenPlaylist, claim: Claim): void {
    const { uri, ...meaning } = part
    this.#claimMeaning(uri, meaning, claim)
    claim(
      part.durationSeconds <= (partTargetSeconds ?? 0) + rounding,
      () => `${uri} lasts ${part.durationSeconds} s`,
    )
  }

  /**
   * The wall clock advances with the segments and jumps at discontinuities only. It may step back over gaps
   * only, because the duration of gaps after a killed node is an estimate. Init segments change at
   * discontinuities only.
   */
  #claimStarts({ segments, open }: SeenPlaylist, claim: Claim): void {
    const all = [...segments, open]
    for (const [index, segment] of all.entries()) {
      const before = all[index - 1]
      if (before === undefined) continue
      claim(
        segment.isBreak || segment.initUri === before.initUri,
        () => `${segment.number} has another init segment without a break`,
      )
      if (before.startedAtMs === null || segment.startedAtMs === null) continue
      const gapSeconds = secondsOf(
        all.slice(all.slice(0, index).findLastIndex(({ isGap }) => !isGap) + 1, index),
      )
      const leapMs = segment.startedAtMs - before.startedAtMs - before.durationSeconds * 1_000
      claim(
        leapMs >= -stampToleranceMs - (segment.isBreak ? gapSeconds * 1_000 : 0) &&
          (segment.isBreak || leapMs <= stampToleranceMs),
        () => `the clock leaps by ${leapMs.toFixed(0)} ms before segment ${segment.number}`,
      )
    }
  }
}

type Claim = (isTrue: boolean, fault: () => string) => void

const secondsOf = (list: readonly { durationSeconds: number }[]): number =>
  list.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)

const claimEdge = (
  { segments, open, partTargetSeconds, targetDurationSeconds }: SeenPlaylist,
  claim: Claim,
): void => {
  const stamped = segments.findLastIndex(({ startedAtMs }) => startedAtMs !== null)
  const fromMs = segments[stamped]?.startedAtMs
  if (fromMs === undefined || fromMs === null) return
  const edgeMs =
    open.startedAtMs === null
      ? fromMs + 1_000 * secondsOf([...segments.slice(stamped), ...open.parts])
      : open.startedAtMs + 1_000 * secondsOf(open.parts)
  const behindMs = Date.now() - edgeMs
  const mayBeMs = latestEdgeMs + (partTargetSeconds === null ? targetDurationSeconds * 1_000 : 0)
  claim(
    behindMs >= earliestEdgeMs && behindMs <= mayBeMs,
    () => `by the stamps the newest part is ${behindMs.toFixed(0)} ms old`,
  )
}
