import { outputFrameRate, type FrameRate } from './frame-rate.ts'
import { completeLadder, defaultLadder, type Rung, type RungOverride } from './ladder.ts'
import type { AudioStream, Probe, VideoStream } from './probe.ts'

export type VideoRung = {
  /** `720p` */
  name: string
  codec: 'h264'
  widthPixels: number
  heightPixels: number
  maxBitsPerSecond: number
  crf: number
  preset: 'superfast' | 'veryfast'
  profile: 'high'
}

export type AudioPlan =
  | { action: 'none' }
  | { action: 'copy'; streamIndex: number; bitsPerSecond: number | null; channels: number }
  | { action: 'encode'; streamIndex: number; bitsPerSecond: number; channels: number }

export type MediaPlan = {
  /** Encoded before everything else, so that something plays; null when the source itself plays, or has no video. */
  firstRung: VideoRung | null
  /** Descending, without the first rung. */
  ladder: VideoRung[]
  audio: AudioPlan
  /** Constant rate of all rungs, at most 60; null without video. */
  frameRate: FrameRate | null
  durationSeconds: number | null
}

export type PlanOptions = {
  isVideoCopied: boolean
  isAudioCopied: boolean
  rungs?: readonly RungOverride[] | undefined
}

/** A source of 1918×1076 deserves its 1080p rung, at its own size. */
const nearlyRatio = 0.95

/** A rung's box is 16:9, lying or standing: 1920×804 counts as 1080p. */
const boxRatio = 16 / 9

type Size = { shortPixels: number; longPixels: number }

const sizeOf = (video: VideoStream): Size => ({
  shortPixels: Math.min(video.displayWidthPixels, video.displayHeightPixels),
  longPixels: Math.max(video.displayWidthPixels, video.displayHeightPixels),
})

const classPixels = ({ shortPixels, longPixels }: Size): number =>
  Math.max(shortPixels, longPixels / boxRatio)

/** H.264 4:2:0 needs even sides; never larger than the source but where that has a single pixel. */
const evenPixels = (pixels: number, sourcePixels: number): number =>
  Math.max(2, Math.min(2 * Math.round(pixels / 2), 2 * Math.floor(sourcePixels / 2)))

const fitRung = (rung: Rung, video: VideoStream, preset: VideoRung['preset']): VideoRung => {
  const { shortPixels, longPixels } = sizeOf(video)
  const scale = Math.min(1, rung.heightPixels / shortPixels, (rung.heightPixels * boxRatio) / longPixels)
  return {
    name: `${rung.heightPixels}p`,
    codec: 'h264',
    widthPixels: evenPixels(video.displayWidthPixels * scale, video.displayWidthPixels),
    heightPixels: evenPixels(video.displayHeightPixels * scale, video.displayHeightPixels),
    maxBitsPerSecond: rung.maxBitsPerSecond,
    crf: rung.crf,
    preset,
    profile: 'high',
  }
}

/** A source below the lowest rung gets one of its own size. */
const ownRung = (rungs: readonly Rung[], video: VideoStream): Rung[] => {
  const lowest = rungs.at(-1)
  const heightPixels = Math.ceil(classPixels(sizeOf(video)))
  return lowest ? [{ ...lowest, heightPixels }] : []
}

const planVideo = (video: VideoStream, options: PlanOptions): Pick<MediaPlan, 'firstRung' | 'ladder'> => {
  const hasOverrides = options.rungs !== undefined && options.rungs.length > 0
  const wanted = hasOverrides ? completeLadder(options.rungs ?? []) : [...defaultLadder]
  const sourcePixels = classPixels(sizeOf(video))
  const isReached = (rung: Rung): boolean => sourcePixels >= rung.heightPixels * nearlyRatio

  if (options.isVideoCopied) {
    // The source is its own highest rung; one beside it of nearly the same size helps nobody.
    const below = wanted.filter((rung) => rung.heightPixels < sourcePixels * nearlyRatio)
    return { firstRung: null, ladder: below.map((rung) => fitRung(rung, video, 'veryfast')) }
  }
  const reached = wanted.filter(isReached)
  const rungs = reached.length > 0 ? reached : ownRung(wanted, video)
  const lowest = rungs.at(-1)
  return {
    firstRung: lowest ? fitRung(lowest, video, 'superfast') : null,
    ladder: rungs.slice(0, -1).map((rung) => fitRung(rung, video, 'veryfast')),
  }
}

const planAudio = (streams: readonly AudioStream[], isCopied: boolean): AudioPlan => {
  const stream = streams.find(({ isDefault }) => isDefault) ?? streams[0]
  if (!stream) return { action: 'none' }
  const { index: streamIndex, channels, bitsPerSecond } = stream
  if (isCopied) return { action: 'copy', streamIndex, bitsPerSecond, channels }
  const encodedChannels = Math.min(2, channels)
  return { action: 'encode', streamIndex, bitsPerSecond: 64_000 * encodedChannels, channels: encodedChannels }
}

/** What to encode, decided once and without touching anything. */
export const planRenditions = (probe: Probe, options: PlanOptions): MediaPlan => ({
  ...(probe.video ? planVideo(probe.video, options) : { firstRung: null, ladder: [] }),
  audio: planAudio(probe.audio, options.isAudioCopied),
  frameRate: probe.video ? outputFrameRate(probe.video.frameRate) : null,
  durationSeconds: probe.durationSeconds,
})
