import { parseMediaPlaylist, type Part } from '@zoetrope/hls'

/** A segment as a player reads it, including the tags before it. */
export interface SeenSegment {
  readonly number: number
  readonly uri: string
  readonly initUri: string
  readonly durationSeconds: number
  readonly isBreak: boolean
  /** Number of discontinuities up to here. */
  readonly breakNumber: number
  readonly isGap: boolean
  readonly startedAtMs: number | null
  readonly parts: readonly Part[]
}

export interface SeenPlaylist {
  readonly firstNumber: number
  readonly segments: readonly SeenSegment[]
  /** The current segment, whose duration is not final. */
  readonly open: SeenSegment
  readonly targetDurationSeconds: number
  readonly partTargetSeconds: number | null
  readonly canSkip: boolean
  readonly hasEnded: boolean
}

/**
 * Reads a playlist and completes a delta update from the previous playlist. Throws when the previous playlist
 * lacks the skipped segments.
 */
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
