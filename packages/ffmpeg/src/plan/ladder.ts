/** Every device plays H.264; HEVC and AV1 need fewer bits and play on fewer devices. */
export type VideoCodec = 'h264' | 'hevc' | 'av1'

/**
 * One quality target. `heightPixels` is the class as in "720p": the short side of a 16:9 frame, so a portrait
 * 360p is 360 wide.
 */
export type Rung = { heightPixels: number; maxBitsPerSecond: number; crf: number }

/** A rung as the operator configures it; missing values come from the default ladder. */
export type RungOverride = {
  heightPixels: number
  maxBitsPerSecond?: number | undefined
  crf?: number | undefined
}

/** Constant quality with a ceiling: simple content stays far below `maxBitsPerSecond`. */
export const defaultLadder: readonly Rung[] = [
  { heightPixels: 2160, maxBitsPerSecond: 16_000_000, crf: 22 },
  { heightPixels: 1440, maxBitsPerSecond: 9_000_000, crf: 22 },
  { heightPixels: 1080, maxBitsPerSecond: 5_000_000, crf: 22 },
  { heightPixels: 720, maxBitsPerSecond: 2_800_000, crf: 22 },
  { heightPixels: 480, maxBitsPerSecond: 1_400_000, crf: 23 },
  { heightPixels: 360, maxBitsPerSecond: 800_000, crf: 23 },
]

/** Returns the lowest default rung of at least this height, otherwise the highest one. */
const likeRung = (heightPixels: number): Rung => {
  const candidates = defaultLadder.filter((rung) => rung.heightPixels >= heightPixels)
  const like = candidates.at(-1) ?? defaultLadder[0]
  if (!like) throw new Error('The default ladder is empty.')
  return like
}

/** Returns the rungs in descending order, each height once. */
export const completeLadder = (overrides: readonly RungOverride[]): Rung[] => {
  const byHeight = new Map<number, Rung>()
  for (const { heightPixels, maxBitsPerSecond, crf } of overrides) {
    const like = likeRung(heightPixels)
    byHeight.set(heightPixels, {
      heightPixels,
      maxBitsPerSecond: maxBitsPerSecond ?? like.maxBitsPerSecond,
      crf: crf ?? like.crf,
    })
  }
  return [...byHeight.values()].sort((a, b) => b.heightPixels - a.heightPixels)
}

/** HEVC and AV1 need fewer bits than H.264 for the same quality, and their CRF scales differ. */
const savings = {
  h264: { ceilingRatio: 1, crfOffset: 0 },
  hevc: { ceilingRatio: 0.65, crfOffset: 4 },
  av1: { ceilingRatio: 0.55, crfOffset: 13 },
} as const satisfies Record<VideoCodec, object>

/** Converts a rung, which is defined for H.264, to another codec. */
export const rungIn = (codec: VideoCodec, rung: Rung): Rung => {
  const { ceilingRatio, crfOffset } = savings[codec]
  return {
    heightPixels: rung.heightPixels,
    maxBitsPerSecond: Math.round(rung.maxBitsPerSecond * ceilingRatio),
    crf: rung.crf + crfOffset,
  }
}
