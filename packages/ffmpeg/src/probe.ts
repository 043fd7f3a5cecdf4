import type { FrameRate } from './frame-rate.ts'

export type Ratio = { numerator: number; denominator: number }

export type VideoStream = {
  /** ffmpeg's stream index in the file. */
  index: number
  /** When its first picture is shown, on the clock of the file. */
  startSeconds: number
  /** The track's own number in the file; null where the container has none. */
  trackId: number | null
  codec: string
  profile: string | null
  codecTag: string
  pixelFormat: string
  bitDepth: number
  chroma: '4:0:0' | '4:2:0' | '4:2:2' | '4:4:4' | null
  /** As coded, before rotation and sample aspect ratio. */
  widthPixels: number
  heightPixels: number
  /** As a viewer sees it, upright and in square pixels. */
  displayWidthPixels: number
  displayHeightPixels: number
  /** Clockwise turn that makes the picture upright: 0–359. */
  rotationDegrees: number
  sampleAspectRatio: Ratio
  frameRate: FrameRate
  isVariableFrameRate: boolean
  /** On the average its pictures stand longer than the frame rate says: some are repeated, and few are left out. */
  isSparse: boolean
  colorTransfer: string | null
  /** How YUV is made of RGB; null when the file says nothing. */
  colorMatrix: string | null
  isHdr: boolean
  isInterlaced: boolean
  hasBFrames: boolean
  bitsPerSecond: number | null
}

export type AudioStream = {
  index: number
  trackId: number | null
  codec: string
  profile: string | null
  channels: number
  /** Whether it is known for which speaker each channel is. */
  isPlaced: boolean
  sampleRateHz: number
  bitsPerSecond: number | null
  /** ISO 639 as the file says; null when it says nothing or `und`. */
  language: string | null
  /** What its author, or only the writing program, calls it. */
  title: string | null
  handlerName: string | null
  isDefault: boolean
}

export type SubtitleStream = {
  index: number
  codec: string
  /** ISO 639 as the file says; null when it says nothing or `und`. */
  language: string | null
  title: string | null
  /** For viewers who understand the sound: only what is foreign in it. */
  isForced: boolean
  isForDeaf: boolean
}

export type Probe = {
  formatNames: string[]
  startSeconds: number
  /** What the container says, which may be a lie; null when it says nothing. */
  durationSeconds: number | null
  sizeBytes: number
  bitsPerSecond: number | null
  /** The real video track that players show, else the first; cover pictures are not video. */
  video: VideoStream | null
  audio: AudioStream[]
  subtitles: SubtitleStream[]
}
