/** What is fixed before the first playlist, for it may never change. */
export interface StreamTargets {
  /** EXT-X-TARGETDURATION: whole seconds. */
  readonly targetDurationSeconds: number
  /** PART-TARGET: whole milliseconds. */
  readonly partTargetSeconds: number
}

export interface TargetOptions {
  /** Segments end with the first key frame after so long. */
  readonly segmentSeconds: number
  /** The first of all may be shorter: viewers wait for it. */
  readonly firstSegmentSeconds: number
  /** A group of pictures that lasts longer is split. */
  readonly longestSegmentSeconds: number
  readonly partTargetSeconds: number
}

/** A publisher whose first group lasts 4.05 s means 4 s. RFC 8216bis 4.4.3.1 rounds, too. */
const slackSeconds = 0.1
const largestPartMs = 3_000
/** Stamps in whole milliseconds make a frame seem this much longer or shorter. */
const stampErrorMs = 1

/** `longestGroupSeconds` is undefined where no second key frame came while measuring. */
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

/** Whether whole frames make at least 85 % of a part (RFC 8216bis 4.4.4.9). */
const fills = (partMs: number, frameMs: number): boolean =>
  frameMs <= 0 || Math.floor(partMs / frameMs) * frameMs - stampErrorMs >= 0.85 * partMs

/** The frame duration that most have. */
export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
