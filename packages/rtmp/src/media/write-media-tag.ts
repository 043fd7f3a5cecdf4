import type { MediaMessage } from '../messages/media-message.ts'
import { messageTypes } from '../wire/message.ts'
import { writeAmf0 } from '../amf0/write-amf0.ts'

export interface MediaTag {
  readonly type: number
  readonly payload: Buffer
}

/**
 * FLV 10.1, E.4.2.1: AAC is always declared as 44 kHz, stereo, 16 bits; its configuration has the actual
 * values.
 */
const aacHeader = 0xaf
const enhancedSound = 0x90
const enhancedVideo = 0x80
const frameTypes = { key: 0x10, inter: 0x20 } as const
const avc = 7
/** VideoPacketType and AudioPacketType of E-RTMP. */
const enhancedPackets = { configuration: 0, frame: 1 } as const
/** FLV uses the same numbers for these two types. */
const legacyPackets = enhancedPackets

/**
 * Inverse of `readVideoTag` and `readAudioTag`. Writes H.264 and AAC in FLV format, and other codecs with
 * E-RTMP FourCCs. Returns null for messages that are not forwarded.
 */
export const writeMediaTag = (message: MediaMessage): MediaTag | null => {
  switch (message.type) {
    case 'video-configuration':
      return video(message.codec, true, enhancedPackets.configuration, 0, message.data)
    case 'video-frame':
      return video(
        message.codec,
        message.isKeyFrame,
        enhancedPackets.frame,
        compositionOf(message),
        message.data,
      )
    case 'audio-configuration':
      return audio(message.codec, enhancedPackets.configuration, message.data)
    case 'audio-frame':
      return audio(message.codec, enhancedPackets.frame, message.data)
    case 'metadata':
      return {
        type: messageTypes.dataAmf0,
        payload: writeAmf0('@setDataFrame', 'onMetaData', message.values),
      }
    case 'video-end':
    case 'audio-end':
    case 'color-info':
    case 'data':
    case 'warning':
      return null
  }
}

/**
 * Both times are rounded to whole milliseconds, so the presentation time is off by at most half a
 * millisecond.
 */
const compositionOf = (frame: { timestampMs: number; compositionTimeMs: number }): number =>
  Math.round(frame.timestampMs + frame.compositionTimeMs) - Math.round(frame.timestampMs)

const video = (
  codec: string,
  isKeyFrame: boolean,
  packetType: 0 | 1,
  compositionTimeMs: number,
  data: Buffer,
): MediaTag => {
  const frameType = isKeyFrame ? frameTypes.key : frameTypes.inter
  const composition = Buffer.alloc(3)
  composition.writeIntBE(compositionTimeMs, 0, 3)
  if (codec === 'avc1') {
    const head = Buffer.of(frameType | avc, packetType, ...composition)
    return { type: messageTypes.video, payload: Buffer.concat([head, data]) }
  }
  const head = Buffer.concat([
    Buffer.of(enhancedVideo | frameType | packetType),
    Buffer.from(codec, 'latin1'),
  ])
  // Only codecs that reorder frames have a composition time, and configurations never do.
  const hasComposition = codec === 'hvc1' && packetType === enhancedPackets.frame
  const parts = hasComposition ? [head, composition, data] : [head, data]
  return { type: messageTypes.video, payload: Buffer.concat(parts) }
}

const audio = (codec: string, packetType: 0 | 1, data: Buffer): MediaTag => {
  const head =
    codec === 'mp4a'
      ? Buffer.of(aacHeader, legacyPackets[packetType === 0 ? 'configuration' : 'frame'])
      : Buffer.concat([Buffer.of(enhancedSound | packetType), Buffer.from(codec, 'latin1')])
  return { type: messageTypes.audio, payload: Buffer.concat([head, data]) }
}
