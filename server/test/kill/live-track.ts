import { parseMediaPlaylist, type Part } from '@zoetrope/hls'

/** A segment as a player understands it, with what lines before it say. */
export interface SeenSegment {
  readonly number: number
  readonly uri: string
  readonly initUri: string
  readonly durationSeconds: number
  /** The timeline breaks before it. */
  readonly isBreak: boolean
  /** How many breaks there were up to here. */
  readonly breakNumber: number
  readonly isGap: boolean
  readonly startedAtMs: number | null
  readonly parts: readonly Part[]
}

export interface SeenPlaylist {
  readonly firstNumber: number
  readonly segments: readonly SeenSegment[]
  /** The one that is being made, without its length. */
  readonly open: SeenSegment
  readonly targetDurationSeconds: number
  readonly partTargetSeconds: number | null
  readonly canSkip: boolean
  readonly hasEnded: boolean
}

/** Reads a playlist; of a delta update what it leaves out is taken from the one before. Throws where that has it not. */
export const readPlaylist = (text: string, before: SeenPlaylist | null): SeenPlaylist => {
  const parsed = parseMediaPlaylist(text)
  const { mediaSequence, skippedSegments = 0 } = parsed
  const known = (before?.segments ?? []).filter(
    ({ number }) => number >= mediaSequence && number < mediaSequence + skippedSegments,
  )
  if (known.length !== skippedSegments)
    throw new Error(`a delta update leaves out ${skippedSegments} segments from ${mediaSequence} on`)
  let { initUri } = parsed
  let number = mediaSequence + skippedSegments
  let breakNumber = known.at(-1)?.breakNumber ?? parsed.discontinuitySequence ?? 0
  const next = (start: {
    discontinuity?: boolean
    initUri?: string
    programDateTime?: Date
  }): Omit<SeenSegment, 'uri' | 'durationSeconds' | 'isGap' | 'parts'> => {
    initUri = start.initUri ?? initUri
    if (start.discontinuity === true) breakNumber += 1
    return {
      number: number++,
      initUri,
      isBreak: start.discontinuity === true,
      breakNumber,
      startedAtMs: start.programDateTime?.getTime() ?? null,
    }
  }
  const segments = parsed.segments.map((segment) => ({
    ...next(segment),
    uri: segment.uri,
    durationSeconds: segment.durationSeconds,
    isGap: segment.isGap === true,
    parts: segment.parts ?? [],
  }))
  const open = next(parsed.openSegment ?? {})
  return {
    firstNumber: mediaSequence,
    segments: [...known, ...segments],
    open: { ...open, uri: '', durationSeconds: 0, isGap: false, parts: parsed.openParts ?? [] },
    targetDurationSeconds: parsed.targetDurationSeconds,
    partTargetSeconds: parsed.partTargetSeconds ?? null,
    canSkip: parsed.serverControl?.canSkipUntilSeconds !== undefined,
    hasEnded: parsed.hasEnded,
  }
}

const rounding = 2e-6
/** What the server's clock and the publisher's may be apart over a segment. */
const stampToleranceMs = 500
const latestEdgeMs = 5_000
const earliestEdgeMs = -1_000

/**
 * What one rendition's playlists of all broadcasts of a stream must keep to, as one player sees them after each other. Each look answers what is
 * wrong.
 */
export class TrackRules {
  #last: SeenPlaylist | null = null
  readonly #meanings = new Map<string, string>()
  /** Those that delta updates take over are the same. */
  readonly #checked = new WeakSet<SeenSegment>()

  /** `isFlowing`: a publisher has been sending for a while, so that the end of the playlist is about now. */
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
      claim(
        Math.round(segment.durationSeconds) <= targetDurationSeconds,
        () => `${segment.uri} lasts ${segment.durationSeconds} s`,
      )
      const { uri: _uri, parts, ...meaning } = segment
      this.#claimMeaning(segment.uri, meaning, claim)
      for (const part of parts) this.#claimPart(part, playlist, claim)
    }
    for (const part of open.parts) this.#claimPart(part, playlist, claim)
    this.#claimStarts(playlist, claim)
    if (isFlowing && !playlist.hasEnded) claimEdge(playlist, claim)
    return faults
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

  /** The wall clock goes on with the segments, and leaps at breaks only, and never back; init segments change at breaks only. */
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
      const leapMs = segment.startedAtMs - before.startedAtMs - before.durationSeconds * 1_000
      claim(
        leapMs >= -stampToleranceMs && (segment.isBreak || leapMs <= stampToleranceMs),
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
