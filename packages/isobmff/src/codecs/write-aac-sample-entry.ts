import { u16, u32, writeBox, writeFullBox } from '../boxes/write-box.ts'

/** Sampling frequency index of ISO/IEC 14496-3, table 1.18. */
const sampleRates = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350],
]

const aacLowComplexity = 2
const mpeg4Audio = 0x40
/** streamType audio, upStream 0 and the reserved bit (ISO/IEC 14496-1, 7.2.6.6). */
const audioStream = 0x15

/** Descriptor of ISO/IEC 14496-1, 7.2.2: tag, length below 128, content. */
const descriptor = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, content.length]), content])
}

/**
 * Returns the mp4a box of mono or stereo AAC-LC. Throws RangeError for an unsupported sample rate or channel
 * count.
 */
export const writeAacSampleEntry = (sampleRateHz: number, channels: number): Buffer => {
  const rateIndex = sampleRates.indexOf(sampleRateHz)
  if (rateIndex < 0 || (channels !== 1 && channels !== 2))
    throw new RangeError(`AAC-LC does not support ${sampleRateHz} Hz with ${channels} channels.`)
  // AudioSpecificConfig of ISO/IEC 14496-3, 1.6.2.1: object type (5 bits), rate (4), channels (4) and three
  // zeros.
  const config = u16((aacLowComplexity << 11) | (rateIndex << 7) | (channels << 3))
  return writeMpeg4AudioSampleEntry(config, sampleRateHz, channels)
}

/**
 * Returns the mp4a box of any AudioSpecificConfig. Rates above 16 bits do not fit the box field, but the
 * configuration contains them.
 */
export const writeMpeg4AudioSampleEntry = (
  config: Buffer,
  sampleRateHz: number,
  channels: number,
): Buffer => {
  const decoder = descriptor(
    0x04,
    Buffer.from([mpeg4Audio, audioStream]),
    Buffer.alloc(3),
    u32(0, 0),
    descriptor(0x05, config),
  )
  const stream = descriptor(0x03, u16(1), Buffer.from([0]), decoder, descriptor(0x06, Buffer.from([2])))
  return writeBox(
    'mp4a',
    Buffer.alloc(6),
    u16(1),
    u32(0, 0),
    u16(channels, 16, 0, 0),
    u16(sampleRateHz < 0x1_0000 ? sampleRateHz : 0, 0),
    writeFullBox('esds', 0, 0, stream),
  )
}
