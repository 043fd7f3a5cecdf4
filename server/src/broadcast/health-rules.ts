/** What the rules look at. */
export interface HealthFigures {
  readonly publishedMs: number
  readonly videoBitsPerSecond: number
  readonly audioBitsPerSecond: number
  /** Of the last seconds, and of a longer while. */
  readonly framesPerSecond: number
  readonly usualFramesPerSecond: number
  /** How far the bit rate goes up and down, as a share of its mean. */
  readonly bitRateSwing: number
  /** The longest lately; null before the second key frame. */
  readonly keyFrameIntervalMs: number | null
  readonly sinceKeyFrameMs: number | null
  readonly droppedFrames: number
  /** How far sound has run ahead of the picture since the beginning; null without both. */
  readonly driftMs: number | null
  /** How far the publisher's stamps have fallen behind the wall clock. */
  readonly lagMs: number
  /** Null where none came yet. */
  readonly sinceVideoMs: number | null
  readonly sinceAudioMs: number | null
  /** Since something of it was packaged for viewers; from the start of the publisher where nothing was. */
  readonly sinceVideoShownMs: number
  readonly sinceAudioShownMs: number
}

/** Each warning and what to do about it. */
export const healthFaults = {
  key_frames_too_rare:
    'Key frames are more than 4 s apart: viewers wait long for the picture. Set the key frame interval of the encoder to 2 s.',
  frame_rate_drops: 'Fewer pictures arrive than before: the encoder or its network cannot keep up.',
  bit_rate_unstable: 'The bit rate goes up and down a lot: set the encoder to a constant bit rate (CBR).',
  no_audio: 'No sound arrives.',
  no_video: 'The picture has stopped; sound goes on.',
  video_not_shown: 'Video arrives but is not shown: no key frame came, or its time stamps do not fit.',
  audio_not_shown: 'Audio arrives but is not played: its time stamps do not fit those of the video.',
  clock_drift: 'Sound and picture of the encoder drift apart.',
  publisher_slow:
    'The stream arrives more slowly than it plays: the network of the encoder cannot carry its bit rate.',
  publisher_fast: 'The stream arrives faster than it plays: the clock of the encoder is wrong.',
} as const

export type HealthFault = keyof typeof healthFaults

const rareKeysMs = 4_000 + 200
const silenceMs = 5_000
/** Longer than any group of pictures that is taken. */
const notShownMs = 15_000
const driftLimitMs = 500
const lagLimitMs = 3_000
const advanceLimitMs = 5_000
const dropRatio = 0.7
const swingLimit = 0.6
/** Nothing can be said of a rate before. */
const settledMs = 15_000

/** What is wrong by these figures; whoever asks decides how long it must last. */
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
