import type { Amf0Object, Amf0Value } from '../amf0/amf0-value.ts'

export const videoCodecs = ['avc1', 'hvc1', 'av01', 'vp09'] as const
export type VideoCodec = (typeof videoCodecs)[number]
export const audioCodecs = ['mp4a', 'Opus'] as const
export type AudioCodec = (typeof audioCodecs)[number]

/** Sequence header: avcC, hvcC, av1C or vpcC as in an MP4 sample entry. Applies to the frames that follow. */
export interface VideoConfiguration {
  readonly type: 'video-configuration'
  readonly codec: VideoCodec
  readonly data: Buffer
}

export interface VideoFrame {
  readonly type: 'video-frame'
  readonly codec: VideoCodec
  /** Decode time. Never decreases from one video frame to the next. */
  readonly timestampMs: number
  /** Presentation time minus decode time; may be negative. */
  readonly compositionTimeMs: number
  readonly isKeyFrame: boolean
  /** Formatted as in an MP4 sample: length-prefixed NAL units, OBUs, or a VP9 frame. */
  readonly data: Buffer
}

/** Sequence header: an AudioSpecificConfig or an Opus header. */
export interface AudioConfiguration {
  readonly type: 'audio-configuration'
  readonly codec: AudioCodec
  readonly data: Buffer
}

export interface AudioFrame {
  readonly type: 'audio-frame'
  readonly codec: AudioCodec
  /** Never decreases from one audio frame to the next. */
  readonly timestampMs: number
  readonly data: Buffer
}

/** The encoder sends no more frames of this kind until the next configuration. */
export interface SequenceEnd {
  readonly type: 'video-end' | 'audio-end'
}

/** `onMetaData`: the encoder's description of the stream. Unverified. */
export interface Metadata {
  readonly type: 'metadata'
  readonly values: Amf0Object
}

/** Mastering and color metadata of HDR video (E-RTMP `colorInfo`). */
export interface ColorInfo {
  readonly type: 'color-info'
  readonly values: Amf0Object
}

/** Any other data message, such as cue points and text. */
export interface DataMessage {
  readonly type: 'data'
  readonly name: string
  readonly timestampMs: number
  readonly values: readonly Amf0Value[]
}

/** A problem that viewers may notice, reported to the encoder's operator. */
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
