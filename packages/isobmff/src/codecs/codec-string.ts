import { readAv1Configuration } from './av1-configuration.ts'
import { readBits } from '../boxes/bit-reader.ts'
import { findBox, type Box } from '../boxes/box.ts'
import { Fields, readFullBox } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { Av1Color } from './read-av1-sequence.ts'

/**
 * Facts from a sample entry's decoder configuration. Audio fields are set only when the configuration
 * contains them.
 */
export interface CodecFacts {
  /** RFC 6381 codec, or the four-character code when the configuration is missing or unknown. */
  readonly codec: string
  readonly channels?: number
  readonly sampleRateHz?: number
}

export const readCodecFacts = (fourCC: string, children: readonly Box[]): CodecFacts => {
  const read = configurations[fourCC]
  const configuration = read && findBox(children, read.box)
  return configuration === undefined ? { codec: fourCC } : read!.parse(configuration.body, fourCC)
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const decimal = (value: number) => value.toString().padStart(2, '0')

/** ISO/IEC 14496-15, 5.3.3.1: profile, compatibility flags and level as six hexadecimal digits. */
const parseAvc = (body: Buffer, fourCC: string): CodecFacts => {
  const fields = new Fields(body)
  fields.skip(1)
  return { codec: `${fourCC}.${hex(fields.u24(), 6)}` }
}

/** Codec string of ISO/IEC 14496-15, annex E.3. */
const parseHevc = (body: Buffer, fourCC: string): CodecFacts => {
  const fields = new Fields(body)
  fields.skip(1)
  const profile = fields.u8()
  const profileSpace = ['', 'A', 'B', 'C'][profile >> 6]!
  const compatibility = reverseBits(fields.u32())
  const constraints = [...fields.take(6)]
  const level = fields.u8()
  while (constraints.length > 0 && constraints.at(-1) === 0) constraints.pop()
  const tier = (profile & 0x20) === 0 ? 'L' : 'H'
  const parts = [
    fourCC,
    `${profileSpace}${profile & 0x1f}`,
    compatibility.toString(16),
    `${tier}${level}`,
    ...constraints.map((byte) => byte.toString(16)),
  ]
  return { codec: parts.join('.') }
}

const reverseBits = (value: number): number => {
  let reversed = 0
  for (let bit = 0; bit < 32; bit++) reversed = ((reversed << 1) | ((value >>> bit) & 1)) >>> 0
  return reversed
}

/** Codec string of the AV1 Codec ISO Media File Format Binding, section 5. */
const parseAv1 = (body: Buffer, fourCC: string): CodecFacts => {
  const fields = new Fields(body)
  fields.skip(1)
  const profileAndLevel = fields.u8()
  const flags = fields.u8()
  const tier = (flags & 0x80) === 0 ? 'M' : 'H'
  const hasMoreThan8Bits = (flags & 0x40) !== 0
  const hasTwelveBits = (flags & 0x20) !== 0
  const bitDepth = hasMoreThan8Bits ? (hasTwelveBits ? 12 : 10) : 8
  const profile = profileAndLevel >> 5
  const short = `${fourCC}.${profile}.${decimal(profileAndLevel & 0x1f)}${tier}.${decimal(bitDepth)}`
  return { codec: `${short}${av1ColorSuffix(body)}` }
}

/** Default values that apply when the string omits these fields. */
const usualAv1Color = '.0.110.01.01.01.0'

/** Returns all optional fields, or '' when they equal the defaults or cannot be read. */
const av1ColorSuffix = (configuration: Buffer): string => {
  try {
    const suffix = describeAv1Color(readAv1Configuration(configuration).color)
    return suffix === usualAv1Color ? '' : suffix
  } catch (error) {
    if (error instanceof IsobmffError) return ''
    throw error
  }
}

const describeAv1Color = (color: Av1Color): string => {
  const { isMonochrome, subsamplingX, subsamplingY, chromaSamplePosition, isFullRange } = color
  // The codec string specifies BT.709 when the sequence header has no color description.
  const description = (color.description ?? [1, 1, 1]).map(decimal)
  const chroma = `${subsamplingX}${subsamplingY}${chromaSamplePosition}`
  return ['', Number(isMonochrome), chroma, ...description, Number(isFullRange)].join('.')
}

/** VP Codec ISO Media File Format Binding: profile, level and bit depth. */
const parseVp9 = (body: Buffer, fourCC: string): CodecFacts => {
  const { fields } = readFullBox(body)
  const profile = fields.u8()
  const level = fields.u8()
  return { codec: `${fourCC}.${decimal(profile)}.${decimal(level)}.${decimal(fields.u8() >> 4)}` }
}

const descriptorTags = { elementaryStream: 3, decoderConfiguration: 4, decoderSpecific: 5 } as const
const mpeg4Audio = 0x40
const mpeg4Visual = 0x20

/**
 * Reads the nested descriptors of an esds box (ISO/IEC 14496-1, 7.2.6). Returns null when they are missing.
 */
export const readElementaryStream = (
  body: Buffer,
): { readonly objectType: number; readonly configuration: Buffer | null } | null => {
  const { fields } = readFullBox(body)
  if (readDescriptorHeader(fields).tag !== descriptorTags.elementaryStream) return null
  fields.skip(2)
  const flags = fields.u8()
  if ((flags & 0x80) !== 0) fields.skip(2)
  if ((flags & 0x40) !== 0) fields.skip(fields.u8())
  if ((flags & 0x20) !== 0) fields.skip(2)
  if (readDescriptorHeader(fields).tag !== descriptorTags.decoderConfiguration) return null
  const objectType = fields.u8()
  fields.skip(12)
  if (fields.remainingBytes === 0) return { objectType, configuration: null }
  const specific = readDescriptorHeader(fields)
  if (specific.tag !== descriptorTags.decoderSpecific) return { objectType, configuration: null }
  return { objectType, configuration: fields.take(Math.min(specific.sizeBytes, fields.remainingBytes)) }
}

const parseElementaryStream = (body: Buffer, fourCC: string): CodecFacts => {
  const stream = readElementaryStream(body)
  if (stream === null) return { codec: fourCC }
  const { objectType, configuration } = stream
  const codec = `${fourCC}.${hex(objectType, 2)}`
  if (configuration === null) return { codec }
  if (objectType === mpeg4Audio) return parseAudioSpecificConfig(configuration, codec)
  if (objectType === mpeg4Visual && configuration.length > 4) return { codec: `${codec}.${configuration[4]}` }
  return { codec }
}

const readDescriptorHeader = (fields: Fields): { tag: number; sizeBytes: number } => {
  const tag = fields.u8()
  let sizeBytes = 0
  for (let digits = 0; digits < 4; digits++) {
    const byte = fields.u8()
    sizeBytes = (sizeBytes << 7) | (byte & 0x7f)
    if ((byte & 0x80) === 0) break
  }
  return { tag, sizeBytes }
}

const samplingFrequenciesHz = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
] as const
const channelsOfConfiguration = [undefined, 1, 2, 3, 4, 5, 6, 8] as const

/**
 * ISO/IEC 14496-3, 1.6.2.1. Implicitly signalled spectral band replication and parametric stereo are not
 * detected.
 */
const parseAudioSpecificConfig = (configuration: Buffer, codec: string): CodecFacts => {
  const bits = readBits(configuration)
  const readObjectType = () => {
    const objectType = bits(5)
    return objectType === 31 ? 32 + bits(6) : objectType
  }
  const readFrequencyHz = () => {
    const index = bits(4)
    return index === 15 ? bits(24) : samplingFrequenciesHz[index]
  }
  const objectType = readObjectType()
  let sampleRateHz = readFrequencyHz()
  let channels = channelsOfConfiguration[bits(4)]
  if (objectType === 5 || objectType === 29) sampleRateHz = readFrequencyHz()
  if (objectType === 29) channels = 2
  return {
    codec: `${codec}.${objectType}`,
    ...(channels !== undefined && { channels }),
    ...(sampleRateHz !== undefined && sampleRateHz > 0 && { sampleRateHz }),
  }
}

const constant = (codec: string) => (): CodecFacts => ({ codec })

const configurations: Record<
  string,
  { box: string; parse: (body: Buffer, fourCC: string) => CodecFacts } | undefined
> = {
  avc1: { box: 'avcC', parse: parseAvc },
  avc3: { box: 'avcC', parse: parseAvc },
  hvc1: { box: 'hvcC', parse: parseHevc },
  hev1: { box: 'hvcC', parse: parseHevc },
  av01: { box: 'av1C', parse: parseAv1 },
  vp09: { box: 'vpcC', parse: parseVp9 },
  mp4a: { box: 'esds', parse: parseElementaryStream },
  mp4v: { box: 'esds', parse: parseElementaryStream },
  Opus: { box: 'dOps', parse: constant('opus') },
  fLaC: { box: 'dfLa', parse: constant('flac') },
}
