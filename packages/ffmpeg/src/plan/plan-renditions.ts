import { cutFramesOf } from './cut-frames.ts'
import { outputFrameRate, type FrameRate } from '../probe/frame-rate.ts'
import {
  completeLadder,
  defaultLadder,
  rungIn,
  type Rung,
  type RungOverride,
  type VideoCodec,
} from './ladder.ts'
import { playedAudio } from '../probe/audio-tracks.ts'
import { evenPixels } from '../filters/even-pixels.ts'
import { segmentSeconds } from './group-of-pictures.ts'
import { hasMixInFront } from '../filters/downmix-filters.ts'
import type { Probe, VideoStream } from '../probe/probe.ts'
import { gridOriginSeconds, movieOriginSeconds } from '../probe/timeline-origin.ts'
import type { Watermark } from '../filters/watermark.ts'

export type VideoRung = {
  /** Such as `720p` or `720p-hevc`. */
  name: string
  codec: VideoCodec
  widthPixels: number
  heightPixels: number
  maxBitsPerSecond: number
  /** Size of the rate control buffer, in seconds at the ceiling; absent = two. */
  bufferSeconds?: number
  /** Distance of key frames, rounded to whole groups of pictures; absent = one group. */
  keyFrameSeconds?: number
  /** How x264 divides bits within a frame; absent = as its preset does. */
  adaptiveQuantization?: 'auto-variance'
  crf: number
  /** Speed preset in the syntax of the encoder. */
  preset: string
}

type PlannedAudio = {
  /** Such as `audio` or `audio 2`. */
  name: string
  streamIndex: number
  channels: number
  /** BCP 47. */
  language: string | null
  label: string
}

export type CopiedAudio = PlannedAudio & { action: 'copy'; bitsPerSecond: number | null }
export type EncodedAudio = PlannedAudio & {
  action: 'encode'
  bitsPerSecond: number
  /** Gain relative to the source; absent = none. */
  gainDecibels?: number
  /** Only the first two channels are used; absent = all channels are mixed. */
  isMixInFront?: true
}
export type AudioPlan = CopiedAudio | EncodedAudio

export type MediaPlan = {
  /** Encoded first, so that playback can start early; null when the source itself plays or has no video. */
  firstRung: VideoRung | null
  /** Descending, without the first rung. */
  ladder: VideoRung[]
  /**
   * The ladder in codecs that not every device plays. They are encoded last, one codec after the other, each
   * descending.
   */
  moreCodecs: VideoRung[]
  /** One entry per track that viewers can choose, the default first. */
  audio: AudioPlan[]
  watermark: Watermark | null
  /** Constant rate of all rungs, at most 60; null without video. */
  frameRate: FrameRate | null
  /** Frames at which rungs begin a segment; absent = the group length and the target duration decide. */
  cutFrames?: readonly number[]
  /** Zero of the rendition timeline, in seconds after the start of the file. */
  originSeconds: number
  durationSeconds: number | null
}

export type PlanOptions = {
  isVideoCopied: boolean
  /** Stream indices of the audio tracks that are served unchanged. */
  copiedAudio: readonly number[]
  /**
   * Whether these tracks are served from the source itself, whose timeline starts with the file. A remux uses
   * the timeline of the plan.
   */
  isSourceServed?: boolean | undefined
  /** Segment starts of the copied video, from 0 of the timeline. */
  segmentStartSeconds?: readonly number[] | undefined
  rungs?: readonly RungOverride[] | undefined
  /** In addition to H.264. */
  codecs?: readonly VideoCodec[] | undefined
  watermark?: Watermark | null | undefined
}

/** A source slightly below a rung, such as 1918×1076, still gets the 1080p rung, at its own size. */
const nearlyRatio = 0.95

/** The box of a rung is 16:9, landscape or portrait: 1920×804 counts as 1080p. */
const boxRatio = 16 / 9

type Size = { shortPixels: number; longPixels: number }

export type PictureShape = Pick<VideoStream, 'displayWidthPixels' | 'displayHeightPixels'>

const sizeOf = (video: PictureShape): Size => ({
  shortPixels: Math.min(video.displayWidthPixels, video.displayHeightPixels),
  longPixels: Math.max(video.displayWidthPixels, video.displayHeightPixels),
})

const classPixels = ({ shortPixels, longPixels }: Size): number =>
  Math.max(shortPixels, longPixels / boxRatio)

const fitRung = (rung: Rung, video: PictureShape, preset: string, codec: VideoCodec = 'h264'): VideoRung => {
  const { shortPixels, longPixels } = sizeOf(video)
  const scale = Math.min(1, rung.heightPixels / shortPixels, (rung.heightPixels * boxRatio) / longPixels)
  return {
    name: codec === 'h264' ? `${rung.heightPixels}p` : `${rung.heightPixels}p-${codec}`,
    codec,
    widthPixels: evenPixels(video.displayWidthPixels * scale, video.displayWidthPixels),
    heightPixels: evenPixels(video.displayHeightPixels * scale, video.displayHeightPixels),
    maxBitsPerSecond: rung.maxBitsPerSecond,
    crf: rung.crf,
    preset,
  }
}

/** Returns a rung of the size of a source that is below the lowest rung. */
const ownRung = (rungs: readonly Rung[], video: VideoStream): Rung[] => {
  const lowest = rungs.at(-1)
  const heightPixels = Math.ceil(classPixels(sizeOf(video)))
  return lowest ? [{ ...lowest, heightPixels }] : []
}

/**
 * On two cores these take 2.2 (HEVC) and 1.3 (AV1) times as long as `veryfast` H.264; slower presets save
 * little more.
 */
const presets = { hevc: 'superfast', av1: '10' } as const

/** Smaller frames are below the minimum of these encoders and would save nothing. */
const leastPixels = 64

const planMoreCodecs = (
  rungs: readonly Rung[],
  video: VideoStream,
  { codecs = [] }: PlanOptions,
): VideoRung[] =>
  (['hevc', 'av1'] as const)
    .filter((codec) => codecs.includes(codec))
    .flatMap((codec) => rungs.map((rung) => fitRung(rungIn(codec, rung), video, presets[codec], codec)))
    .filter(({ widthPixels, heightPixels }) => Math.min(widthPixels, heightPixels) >= leastPixels)

const wantedRungs = (overrides: readonly RungOverride[] = []): readonly Rung[] =>
  overrides.length > 0 ? completeLadder(overrides) : defaultLadder

/**
 * Returns the rungs below a source that is itself the highest rung, descending. A rung of nearly the size of
 * the source is left out.
 */
export const rungsBelow = (
  video: PictureShape,
  overrides: readonly RungOverride[] | undefined,
  preset: string,
): VideoRung[] => {
  const sourcePixels = classPixels(sizeOf(video))
  return wantedRungs(overrides)
    .filter((rung) => rung.heightPixels < sourcePixels * nearlyRatio)
    .map((rung) => fitRung(rung, video, preset))
}

/** Encodes the same quality with fewer bits and no more processor time. */
const withFewerBits = (rung: VideoRung, index: number, { length }: readonly VideoRung[]): VideoRung => ({
  ...rung,
  adaptiveQuantization: 'auto-variance',
  // Storyboards are drawn from the key frames of the lowest rung.
  ...(index < length - 1 && { keyFrameSeconds: segmentSeconds }),
})

const planVideo = (
  video: VideoStream,
  options: PlanOptions,
): Pick<MediaPlan, 'firstRung' | 'ladder' | 'moreCodecs'> => {
  const wanted = wantedRungs(options.rungs)
  const sourcePixels = classPixels(sizeOf(video))
  const isReached = (rung: Rung): boolean => sourcePixels >= rung.heightPixels * nearlyRatio

  const reached = wanted.filter(isReached)
  const rungs = reached.length > 0 ? reached : ownRung(wanted, video)
  const moreCodecs = planMoreCodecs(rungs, video, options)
  if (options.isVideoCopied)
    return {
      firstRung: null,
      ladder: rungsBelow(video, options.rungs, 'veryfast').map(withFewerBits),
      moreCodecs,
    }
  const fitted = rungs.map((rung) => fitRung(rung, video, 'veryfast')).map(withFewerBits)
  const lowest = rungs.at(-1)
  return {
    firstRung: lowest ? fitRung(lowest, video, 'superfast') : null,
    ladder: fitted.slice(0, -1),
    moreCodecs,
  }
}

/** Surround sound is mixed down to stereo, which every device plays. */
const planAudio = (probe: Probe, copied: readonly number[]): AudioPlan[] =>
  playedAudio(probe).map((track, number) => {
    const { index: streamIndex, channels, bitsPerSecond, language, label } = track
    const name = number === 0 ? 'audio' : `audio ${number + 1}`
    const common = { name, streamIndex, language, label }
    if (copied.includes(streamIndex)) return { ...common, action: 'copy', bitsPerSecond, channels }
    const encodedChannels = Math.min(2, channels)
    return {
      ...common,
      action: 'encode',
      bitsPerSecond: 64_000 * encodedChannels,
      channels: encodedChannels,
      ...(hasMixInFront(track) ? { isMixInFront: true } : {}),
    }
  })

export const isEncoded = (audio: AudioPlan): audio is EncodedAudio => audio.action === 'encode'

/** Plans all renditions of a source without reading it. Pure. */
export const planRenditions = (probe: Probe, options: PlanOptions): MediaPlan => {
  const frameRate = probe.video ? outputFrameRate(probe.video.frameRate) : null
  const cutFrames = frameRate === null ? undefined : cutFramesOf(options.segmentStartSeconds ?? [], frameRate)
  return {
    ...(probe.video ? planVideo(probe.video, options) : { firstRung: null, ladder: [], moreCodecs: [] }),
    audio: planAudio(probe, options.copiedAudio),
    watermark: probe.video ? (options.watermark ?? null) : null,
    frameRate,
    ...(cutFrames === undefined || cutFrames.length === 0 ? {} : { cutFrames }),
    originSeconds: options.isSourceServed === true ? movieOriginSeconds(probe) : gridOriginSeconds(probe),
    durationSeconds: probe.durationSeconds,
  }
}
