import type { FrameRate } from './frame-rate.ts'

export type Ratio = { numerator: number; denominator: number }

export type VideoStream = {
  /** ffmpeg's stream index in the file. */
  index: number
  /** Presentation time of the first frame, on the clock of the file. */
  startSeconds: number
  /** Track id in the file; null for containers without track ids. */
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
  /** Size as displayed, upright and in square pixels. */
  displayWidthPixels: number
  displayHeightPixels: number
  /** Clockwise rotation that makes the video upright, 0–359. */
  rotationDegrees: number
  /** Turned upside down like a reflection in water, without rotation; absent = not. */
  isFlipped?: true
  sampleAspectRatio: Ratio
  frameRate: FrameRate
  isVariableFrameRate: boolean
  /** Frames last longer on average than the frame rate implies, so the encode repeats some and drops few. */
  isSparse: boolean
  colorTransfer: string | null
  /** YUV color matrix; null when the file is untagged. */
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
  /** Whether the speaker position of each channel is known. */
  isPlaced: boolean
  sampleRateHz: number
  bitsPerSecond: number | null
  /** ISO 639 tag from the file; null when absent or `und`. */
  language: string | null
  /** Title from the author or from the writing program. */
  title: string | null
  handlerName: string | null
  isDefault: boolean
}

export type SubtitleStream = {
  index: number
  codec: string
  /** ISO 639 tag from the file; null when absent or `und`. */
  language: string | null
  title: string | null
  /** Translates only foreign-language parts, for viewers who understand the audio. */
  isForced: boolean
  isForDeaf: boolean
}

export type Probe = {
  formatNames: string[]
  startSeconds: number
  /** Duration from the container, which may be false; null when absent. */
  durationSeconds: number | null
  sizeBytes: number
  bitsPerSecond: number | null
  /** The default video track, otherwise the first; a cover does not count as video. */
  video: VideoStream | null
  /** Picture of a file without video: cover art, or the only frame of a video beside longer sound. Absent = none. */
  cover?: VideoStream
  audio: AudioStream[]
  subtitles: SubtitleStream[]
}
