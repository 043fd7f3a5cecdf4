import { readEnhancedPacket } from './enhanced-packet.ts'
import { Fields } from '../wire/fields.ts'
import {
  audioCodecs,
  type AudioCodec,
  type AudioConfiguration,
  type AudioFrame,
  type SequenceEnd,
} from '../messages/media-message.ts'
import { printable, type OtherTrack } from './read-video-tag.ts'
import { RtmpError } from '../wire/rtmp-error.ts'

export type AudioTag = AudioConfiguration | Omit<AudioFrame, 'timestampMs'> | SequenceEnd | OtherTrack

/** FLV 10.1, E.4.2.1; E-RTMP adds format 9. */
const soundFormats = { enhanced: 9, aac: 10 } as const
const aacConfiguration = 0

/** AudioPacketType of E-RTMP. */
const packets = { configuration: 0, frame: 1, end: 2, multitrack: 5 } as const

/** Parses the payload of an audio message. Returns null when it contains no audio. */
export const readAudioTag = (payload: Buffer): AudioTag | null => {
  if (payload.length === 0) return null
  const fields = new Fields(payload)
  const first = fields.u8()
  const soundFormat = first >> 4
  if (soundFormat === soundFormats.enhanced) return readEnhanced(fields, first & 0x0f)
  if (soundFormat !== soundFormats.aac)
    throw new RtmpError(
      'unsupported',
      `Audio in FLV format ${soundFormat} is not supported. Send AAC or Opus.`,
    )
  const isConfiguration = fields.u8() === aacConfiguration
  return audio(isConfiguration ? 'audio-configuration' : 'audio-frame', 'mp4a', fields.rest())
}

const readEnhanced = (fields: Fields, firstPacketType: number): AudioTag | null => {
  const { packetType, fourCC } = readEnhancedPacket(fields, firstPacketType, packets.multitrack)
  if (fourCC === null) return { type: 'other-track' }
  const codec = audioCodecs.find((known) => known === fourCC)
  if (codec === undefined)
    throw new RtmpError('unsupported', `Audio in ${printable(fourCC)} is not supported. Send AAC or Opus.`)
  switch (packetType) {
    case packets.configuration:
      return audio('audio-configuration', codec, fields.rest())
    case packets.frame:
      return audio('audio-frame', codec, fields.rest())
    case packets.end:
      return { type: 'audio-end' }
    default:
      return null
  }
}

const audio = (
  type: 'audio-configuration' | 'audio-frame',
  codec: AudioCodec,
  data: Buffer,
): AudioTag | null => (data.length === 0 ? null : { type, codec, data })
