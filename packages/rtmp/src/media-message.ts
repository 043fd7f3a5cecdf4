import type { Amf0Object, Amf0Value } from './amf0-value.ts'

/** FourCCs as in sample entries. */
export const videoCodecs = ['avc1', 'hvc1', 'av01', 'vp09'] as const
export type VideoCodec = (typeof videoCodecs)[number]
export const audioCodecs = ['mp4a', 'Opus'] as const
export type AudioCodec = (typeof audioCodecs)[number]

/** The sequence header: avcC, hvcC, av1C or vpcC as in an MP4 sample entry. Holds for the frames that follow. */
export interface VideoConfiguration {
  readonly type: 'video-configuration'
  readonly codec: VideoCodec
  readonly data: Buffer
}

export interface VideoFrame {
  readonly type: 'video-frame'
  readonly codec: VideoCodec
  /** When it is decoded. Never less than that of the video frame before. */
  readonly timestampMs: number
  /** How much later than decoded it is shown; may be negative. */
  readonly compositionTimeMs: number
  readonly isKeyFrame: boolean
  /** As in an MP4 sample: NAL units behind their lengths, OBUs, or a VP9 frame. */
  readonly data: Buffer
}

/** The sequence header: an AudioSpecificConfig, or an Opus header. */
export interface AudioConfiguration {
  readonly type: 'audio-configuration'
  readonly codec: AudioCodec
  readonly data: Buffer
}

export interface AudioFrame {
  readonly type: 'audio-frame'
  readonly codec: AudioCodec
  /** Never less than that of the audio frame before. */
  readonly timestampMs: number
  readonly data: Buffer
}

/** The encoder says that no frame of the kind follows, until the next configuration. */
export interface SequenceEnd {
  readonly type: 'video-end' | 'audio-end'
}

/** `onMetaData`: what the encoder says of the whole stream. Hearsay. */
export interface Metadata {
  readonly type: 'metadata'
  readonly values: Amf0Object
}

/** Mastering and colour facts of HDR video (E-RTMP, `colorInfo`). */
export interface ColorInfo {
  readonly type: 'color-info'
  readonly values: Amf0Object
}

/** Any other data message: cue points, text. */
export interface DataMessage {
  readonly type: 'data'
  readonly name: string
  readonly timestampMs: number
  readonly values: readonly Amf0Value[]
}

/** Something that a viewer may notice and the encoder's owner should know. */
export interface PublishWarning {
  readonly type: 'warning'
  readonly code: 'clock_jumped' | 'track_ignored'
  readonly message: string
}

export type MediaMessage =
  | VideoConfiguration
  | VideoFrame
  | AudioConfiguration
  | AudioFrame
  | SequenceEnd
  | Metadata
  | ColorInfo
  | DataMessage
  | PublishWarning
