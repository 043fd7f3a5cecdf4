import { isAmf0Object } from '../amf0/amf0-value.ts'
import { readEnhancedPacket } from './enhanced-packet.ts'
import { Fields } from '../wire/fields.ts'
import {
  videoCodecs,
  type ColorInfo,
  type SequenceEnd,
  type VideoCodec,
  type VideoConfiguration,
  type VideoFrame,
} from '../messages/media-message.ts'
import { readAmf0 } from '../amf0/read-amf0.ts'
import { RtmpError } from '../wire/rtmp-error.ts'

export interface OtherTrack {
  readonly type: 'other-track'
}

export type VideoTag =
  | VideoConfiguration
  | Omit<VideoFrame, 'timestampMs'>
  | SequenceEnd
  | ColorInfo
  | OtherTrack

const frameTypes = { key: 1, command: 5 } as const

/**
 * Parses the payload of a video message, with the header of FLV or E-RTMP. Returns null when it contains no
 * video.
 */
export const readVideoTag = (payload: Buffer): VideoTag | null => {
  if (payload.length === 0) return null
  const fields = new Fields(payload)
  const first = fields.u8()
  const isEnhanced = (first & 0x80) !== 0
  const frameType = (first >> 4) & 0x07
  const lowBits = first & 0x0f
  return isEnhanced ? readEnhanced(fields, frameType, lowBits) : readLegacy(fields, frameType, lowBits)
}

/** FLV 10.1, E.4.3.1. HEVC as codec 12 is not standardized, but many encoders send it. */
const legacyCodecs: Readonly<Record<number, VideoCodec>> = { 7: 'avc1', 12: 'hvc1' }
const legacyPackets = { configuration: 0, frame: 1, end: 2 } as const

const readLegacy = (fields: Fields, frameType: number, codecId: number): VideoTag | null => {
  if (frameType === frameTypes.command) return null
  const codec = legacyCodecs[codecId]
  if (codec === undefined)
    throw new RtmpError(
      'unsupported',
      `Video in FLV codec ${codecId} is not supported. Send H.264, HEVC, AV1 or VP9.`,
    )
  const packetType = fields.u8()
  const compositionTimeMs = fields.i24()
  const isKeyFrame = frameType === frameTypes.key
  if (packetType === legacyPackets.configuration) return configuration(codec, fields.rest())
  if (packetType === legacyPackets.end) return { type: 'video-end' }
  return packetType === legacyPackets.frame
    ? frame(codec, isKeyFrame, compositionTimeMs, fields.rest())
    : null
}

/** VideoPacketType of E-RTMP. */
const packets = {
  configuration: 0,
  frame: 1,
  end: 2,
  frameShownAtOnce: 3,
  metadata: 4,
  multitrack: 6,
} as const

const readEnhanced = (fields: Fields, frameType: number, firstPacketType: number): VideoTag | null => {
  if (frameType === frameTypes.command && firstPacketType !== packets.metadata) return null
  const { packetType, fourCC } = readEnhancedPacket(fields, firstPacketType, packets.multitrack)
  if (fourCC === null) return { type: 'other-track' }
  const codec = videoCodecs.find((known) => known === fourCC)
  if (codec === undefined)
    throw new RtmpError(
      'unsupported',
      `Video in ${printable(fourCC)} is not supported. Send H.264, HEVC, AV1 or VP9.`,
    )
  const isKeyFrame = frameType === frameTypes.key
  switch (packetType) {
    case packets.configuration:
      return configuration(codec, fields.rest())
    case packets.frame:
      return frame(codec, isKeyFrame, hasCompositionTime(codec) ? fields.i24() : 0, fields.rest())
    case packets.frameShownAtOnce:
      return frame(codec, isKeyFrame, 0, fields.rest())
    case packets.end:
      return { type: 'video-end' }
    case packets.metadata:
      return readColorInfo(fields.rest())
    default:
      return null
  }
}

/** Codecs whose container carries composition times. */
const hasCompositionTime = (codec: VideoCodec): boolean => codec === 'avc1' || codec === 'hvc1'

const configuration = (codec: VideoCodec, data: Buffer): VideoConfiguration | null =>
  data.length === 0 ? null : { type: 'video-configuration', codec, data }

const frame = (
  codec: VideoCodec,
  isKeyFrame: boolean,
  compositionTimeMs: number,
  data: Buffer,
): VideoTag | null =>
  data.length === 0 ? null : { type: 'video-frame', codec, compositionTimeMs, isKeyFrame, data }

const readColorInfo = (data: Buffer): ColorInfo | null => {
  const [name, values] = readAmf0(data)
  return name === 'colorInfo' && isAmf0Object(values) ? { type: 'color-info', values } : null
}

/** Replaces unprintable characters of an untrusted FourCC for use in messages. */
export const printable = (fourCC: string): string => fourCC.replaceAll(/[^\x20-\x7e]/g, '?')
