export interface HealthFigures {
  readonly publishedMs: number
  readonly videoBitsPerSecond: number
  readonly audioBitsPerSecond: number
  /** Frame rates over the last seconds and over a longer time. */
  readonly framesPerSecond: number
  readonly usualFramesPerSecond: number
  /** Variation of the bit rate, as a share of its mean. */
  readonly bitRateSwing: number
  /** Longest recent interval; null before the second key frame. */
  readonly keyFrameIntervalMs: number | null
  readonly sinceKeyFrameMs: number | null
  readonly droppedFrames: number
  /** Lead of audio over video since the start; null without both. */
  readonly driftMs: number | null
  /** Lag of the publisher's timestamps behind the wall clock. */
  readonly lagMs: number
  /** Null before the first frame. */
  readonly sinceVideoMs: number | null
  readonly sinceAudioMs: number | null
  /** Time since media of this kind was last packaged, or since the start of the publisher. */
  readonly sinceVideoShownMs: number
  readonly sinceAudioShownMs: number
}

/** Message of each warning, with its remedy. */
export const healthFaults = {
  key_frames_too_rare:
    'Key frames are more than 4 s apart, so viewers wait long for the picture. Set the key frame interval of the encoder to 2 s.',
  frame_rate_drops: 'Fewer pictures arrive than before: the encoder or its network cannot keep up.',
  bit_rate_unstable: 'The bit rate varies a lot. Set the encoder to a constant bit rate (CBR).',
  no_audio: 'No audio is received.',
  no_video: 'Video has stopped; audio continues.',
  video_not_shown:
    'Video is received but cannot be shown: it has no key frame, or its timestamps are invalid.',
  audio_not_shown: 'Audio is received but cannot be played: its timestamps do not match the video.',
  clock_drift: 'Audio and video of the encoder drift apart.',
  publisher_slow:
    'The stream arrives more slowly than real time: the network of the encoder is too slow for its bit rate.',
  publisher_fast: 'The stream arrives faster than real time: the clock of the encoder is wrong.',
} as const

export type HealthFault = keyof typeof healthFaults

const rareKeysMs = 4_000 + 200
const silenceMs = 5_000
/** Longer than any accepted group of pictures. */
const notShownMs = 15_000
const driftLimitMs = 500
const lagLimitMs = 3_000
const advanceLimitMs = 5_000
const dropRatio = 0.7
const swingLimit = 0.6
/** Rates are not reliable before this time. */
const settledMs = 15_000

/** Returns the faults that these figures show. The caller decides how long a fault must last. */
export const findFaults = (figures: HealthFigures): ReadonlySet<HealthFault> => {
  const { publishedMs, keyFrameIntervalMs, sinceKeyFrameMs, sinceVideoMs, sinceAudioMs, driftMs, lagMs } =
    figures
  const isSettled = publishedMs > settledMs
  const hasVideo = sinceVideoMs !== null && sinceVideoMs < silenceMs
  const hasAudio = sinceAudioMs !== null && sinceAudioMs < silenceMs
  const rules: Record<HealthFault, boolean> = {
    key_frames_too_rare: Math.max(keyFrameIntervalMs ?? 0, sinceKeyFrameMs ?? 0) > rareKeysMs,
    frame_rate_drops:
      isSettled && hasVideo && figures.framesPerSecond < dropRatio * figures.usualFramesPerSecond,
    bit_rate_unstable: isSettled && figures.bitRateSwing > swingLimit,
    no_audio: publishedMs > silenceMs && hasVideo && !hasAudio,
    no_video: sinceVideoMs !== null && !hasVideo && hasAudio,
    video_not_shown: hasVideo && figures.sinceVideoShownMs > notShownMs,
    audio_not_shown: hasAudio && figures.sinceAudioShownMs > notShownMs,
    clock_drift: driftMs !== null && Math.abs(driftMs) > driftLimitMs,
    publisher_slow: lagMs > lagLimitMs,
    publisher_fast: lagMs < -advanceLimitMs,
  }
  return new Set((Object.keys(rules) as HealthFault[]).filter((fault) => rules[fault]))
}
