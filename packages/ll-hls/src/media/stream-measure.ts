/** Durations that are fixed before the first playlist, because they must never change. */
export interface StreamTargets {
  /** EXT-X-TARGETDURATION in whole seconds. */
  readonly targetDurationSeconds: number
  /** PART-TARGET in whole milliseconds. */
  readonly partTargetSeconds: number
}

export interface TargetOptions {
  /** Segments end at the first key frame after this duration. */
  readonly segmentSeconds: number
  /** The first segment may be shorter, because viewers wait for it. */
  readonly firstSegmentSeconds: number
  /** A longer group of pictures is split. */
  readonly longestSegmentSeconds: number
  readonly partTargetSeconds: number
}

/** A publisher whose first group lasts 4.05 s is configured for 4 s. RFC 8216bis 4.4.3.1 rounds as well. */
const slackSeconds = 0.1
const largestPartMs = 3_000
/** Timestamps in whole milliseconds change the apparent frame duration by up to this much. */
const stampErrorMs = 1

/**
 * Chooses the targets. `longestGroupSeconds` is undefined when no second key frame arrived during the
 * measurement.
 */
export const chooseTargets = (
  options: TargetOptions,
  measured: { longestGroupSeconds: number | undefined; frameSeconds: readonly number[] },
): StreamTargets => {
  const { longestGroupSeconds, frameSeconds } = measured
  const longest = longestGroupSeconds ?? options.longestSegmentSeconds
  const target = Math.max(1, Math.ceil(options.segmentSeconds), Math.ceil(longest - slackSeconds))
  let partMs = Math.ceil(options.partTargetSeconds * 1_000)
  while (partMs < largestPartMs && !frameSeconds.every((seconds) => fills(partMs, seconds * 1_000))) partMs++
  return {
    targetDurationSeconds: Math.min(target, Math.ceil(options.longestSegmentSeconds)),
    partTargetSeconds: partMs / 1_000,
  }
}

/** Returns true when whole frames fill at least 85 % of a part (RFC 8216bis 4.4.4.9). */
const fills = (partMs: number, frameMs: number): boolean =>
  frameMs <= 0 || Math.floor(partMs / frameMs) * frameMs - stampErrorMs >= 0.85 * partMs

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
