import { readDecoderConfiguration, type Track } from '@zoetrope/isobmff'

/** AAC-LC frames without spectral data, by the channel count of the decoder configuration, as ffmpeg's encoder writes them for silence. */
const frames: Readonly<Record<number, Buffer>> = {
  1: Buffer.from('01182007', 'hex'),
  2: Buffer.from('211004608c1c', 'hex'),
}

/** A silent frame for an AAC-LC decoder; undefined for more than two channels. */
export const silentFrame = (channels: number): Buffer | undefined => frames[channels]

const escapedObjectType = 31
const escapedRate = 15

/** A silent frame for the decoder of a track: SBR and PS only extend an AAC-LC frame, so HE-AAC decoders take it too. Null for other codecs. */
export const silentFrameOf = ({ codec, fourCC, sampleEntry }: Track): Buffer | null => {
  if (!/^mp4a\.40\.(2|5|29)$/.test(codec)) return null
  const configuration = readDecoderConfiguration(fourCC, sampleEntry)
  if (configuration === null || configuration.length < 2) return null
  // AudioSpecificConfig, ISO/IEC 14496-3, 1.6.2.1: object type (5 bits), rate (4), channels (4).
  const bits = configuration.readUInt16BE(0)
  if (bits >> 11 === escapedObjectType || ((bits >> 7) & 0x0f) === escapedRate) return null
  return silentFrame((bits >> 3) & 0x0f) ?? null
}
