import { cutFramesOf } from './cut-frames.ts'
import { outputFrameRate, type FrameRate } from './frame-rate.ts'
import {
  completeLadder,
  defaultLadder,
  rungIn,
  type Rung,
  type RungOverride,
  type VideoCodec,
} from './ladder.ts'
import { playedAudio } from './audio-tracks.ts'
import { hasMixInFront } from './downmix-filters.ts'
import type { Probe, VideoStream } from './probe.ts'
import { gridOriginSeconds } from './timeline-origin.ts'
import type { Watermark } from './watermark.ts'

export type VideoRung = {
  /** `720p`; `720p-hevc` */
  name: string
  codec: VideoCodec
  widthPixels: number
  heightPixels: number
  maxBitsPerSecond: number
  crf: number
  /** The encoder's own word for how fast it is to be. */
  preset: string
}

type PlannedAudio = {
  /** `audio`, `audio 2` */
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
  /** So much louder than the source; absent = as it is. */
  gainDecibels?: number
  /** The first two of its many channels are what is heard; absent = all are mixed. */
  isMixInFront?: true
}
export type AudioPlan = CopiedAudio | EncodedAudio

export type MediaPlan = {
  /** Encoded before everything else, so that something plays; null when the source itself plays, or has no video. */
  firstRung: VideoRung | null
  /** Descending, without the first rung. */
  ladder: VideoRung[]
  /** The ladder once more in codecs that not every device plays: encoded last, one codec after the other, each descending. */
  moreCodecs: VideoRung[]
  /** One for each track that viewers can choose, the default first. */
  audio: AudioPlan[]
  /** Burnt into every rung. */
  watermark: Watermark | null
  /** Constant rate of all rungs, at most 60; null without video. */
  frameRate: FrameRate | null
  /** Where rungs begin a segment, in frames; absent = where the encoder's interval and the target duration say. */
  cutFrames?: readonly number[]
  /** Where zero of the renditions lies, in seconds after the start of the file. */
  originSeconds: number
  durationSeconds: number | null
}

export type PlanOptions = {
  isVideoCopied: boolean
  /** Stream indices of the audio tracks that are served as they are. */
  copiedAudio: readonly number[]
  /** Whether these are served from the source itself, whose timeline begins with the file; a remux keeps to that of the plan. */
  isSourceServed?: boolean | undefined
  /** Where the segments of the copied video begin, from 0 of the timeline. */
  segmentStartSeconds?: readonly number[] | undefined
  rungs?: readonly RungOverride[] | undefined
  /** Beside H.264. */
  codecs?: readonly VideoCodec[] | undefined
  watermark?: Watermark | null | undefined
}

/** A source of 1918×1076 deserves its 1080p rung, at its own size. */
const nearlyRatio = 0.95

/** A rung's box is 16:9, lying or standing: 1920×804 counts as 1080p. */
const boxRatio = 16 / 9

type Size = { shortPixels: number; longPixels: number }

/** What a ladder needs to know of its source. */
export type PictureShape = Pick<VideoStream, 'displayWidthPixels' | 'displayHeightPixels'>

const sizeOf = (video: PictureShape): Size => ({
  shortPixels: Math.min(video.displayWidthPixels, video.displayHeightPixels),
  longPixels: Math.max(video.displayWidthPixels, video.displayHeightPixels),
})

const classPixels = ({ shortPixels, longPixels }: Size): number =>
  Math.max(shortPixels, longPixels / boxRatio)

/** H.264 4:2:0 needs even sides; never larger than the source but where that has a single pixel. */
const evenPixels = (pixels: number, sourcePixels: number): number =>
  Math.max(2, Math.min(2 * Math.round(pixels / 2), 2 * Math.floor(sourcePixels / 2)))

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

/** A source below the lowest rung gets one of its own size. */
const ownRung = (rungs: readonly Rung[], video: VideoStream): Rung[] => {
  const lowest = rungs.at(-1)
  const heightPixels = Math.ceil(classPixels(sizeOf(video)))
  return lowest ? [{ ...lowest, heightPixels }] : []
}

/** On two cores they take 2.2 (HEVC) and 1.3 (AV1) times as long as `veryfast` H.264; slower ones save little more. */
const presets = { hevc: 'superfast', av1: '10' } as const

/** Smaller pictures are too small for these encoders, and save nothing. */
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

/** Where the source is its own highest rung, descending; one beside it of nearly the same size helps nobody. */
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
    return { firstRung: null, ladder: rungsBelow(video, options.rungs, 'veryfast'), moreCodecs }
  const lowest = rungs.at(-1)
  return {
    firstRung: lowest ? fitRung(lowest, video, 'superfast') : null,
    ladder: rungs.slice(0, -1).map((rung) => fitRung(rung, video, 'veryfast')),
    moreCodecs,
  }
}

/** Surround sound is mixed down to stereo: every device plays it. */
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

/** What to encode, decided once and without touching anything. */
export const planRenditions = (probe: Probe, options: PlanOptions): MediaPlan => {
  const frameRate = probe.video ? outputFrameRate(probe.video.frameRate) : null
  const cutFrames = frameRate === null ? undefined : cutFramesOf(options.segmentStartSeconds ?? [], frameRate)
  return {
    ...(probe.video ? planVideo(probe.video, options) : { firstRung: null, ladder: [], moreCodecs: [] }),
    audio: planAudio(probe, options.copiedAudio),
    watermark: probe.video ? (options.watermark ?? null) : null,
    frameRate,
    ...(cutFrames === undefined || cutFrames.length === 0 ? {} : { cutFrames }),
    originSeconds: options.isSourceServed === true ? 0 : gridOriginSeconds(probe),
    durationSeconds: probe.durationSeconds,
  }
}
