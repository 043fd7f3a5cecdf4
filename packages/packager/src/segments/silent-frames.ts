import { readDecoderConfiguration, type Track } from '@zoetrope/isobmff'

/** Silent AAC-LC frames without spectral data from ffmpeg's encoder, by channel count. */
const frames: Readonly<Record<number, Buffer>> = {
  1: Buffer.from('01182007', 'hex'),
  2: Buffer.from('211004608c1c', 'hex'),
}

/** Returns a silent AAC-LC frame, or undefined for more than two channels. */
export const silentFrame = (channels: number): Buffer | undefined => frames[channels]

const escapedObjectType = 31
const escapedRate = 15

/**
 * Returns a silent frame for the decoder of a track, or null for other codecs. HE-AAC decoders accept it too,
 * because SBR and PS only extend an AAC-LC frame.
 */
export const silentFrameOf = ({ codec, fourCC, sampleEntry }: Track): Buffer | null => {
  if (!/^mp4a\.40\.(2|5|29)$/.test(codec)) return null
  const configuration = readDecoderConfiguration(fourCC, sampleEntry)
  if (configuration === null || configuration.length < 2) return null
  // AudioSpecificConfig of ISO/IEC 14496-3, 1.6.2.1: object type (5 bits), rate (4), channels (4).
  const bits = configuration.readUInt16BE(0)
  if (bits >> 11 === escapedObjectType || ((bits >> 7) & 0x0f) === escapedRate) return null
  return silentFrame((bits >> 3) & 0x0f) ?? null
}
