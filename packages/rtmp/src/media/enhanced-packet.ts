import type { Fields } from '../wire/fields.ts'

/** E-RTMP packet header after the first byte, identical for audio and video. */
export interface EnhancedPacket {
  readonly packetType: number
  /** Null for packets with several tracks, and for packets of any track but the first. */
  readonly fourCC: string | null
}

const modEx = 7
const oneTrack = 0

/**
 * Skips ModEx extensions, which only contain timestamps below a millisecond, and reads the FourCC. A packet
 * with only the first track is equivalent to one without tracks.
 */
export const readEnhancedPacket = (
  fields: Fields,
  firstPacketType: number,
  multitrack: number,
): EnhancedPacket => {
  let packetType = firstPacketType
  while (packetType === modEx) {
    const shortBytes = fields.u8() + 1
    fields.skip(shortBytes === 256 ? fields.u16() + 1 : shortBytes)
    packetType = fields.u8() & 0x0f
  }
  if (packetType !== multitrack) return { packetType, fourCC: fields.text(4, 'latin1') }
  const tracks = fields.u8()
  if (tracks >> 4 !== oneTrack) return { packetType, fourCC: null }
  const fourCC = fields.text(4, 'latin1')
  return { packetType: tracks & 0x0f, fourCC: fields.u8() === 0 ? fourCC : null }
}
