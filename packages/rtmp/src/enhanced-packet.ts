import type { Fields } from './fields.ts'

/** What opens an E-RTMP packet behind its first byte, the same for sound and picture. */
export interface EnhancedPacket {
  readonly packetType: number
  /** Null for a packet that is of several tracks or of another one than the first. */
  readonly fourCC: string | null
}

const modEx = 7
const oneTrack = 0

/**
 * Goes past the extensions (ModEx: finer timestamps, which nobody needs who has milliseconds) to the codec. A packet of one track, the first,
 * is as good as one without tracks.
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
