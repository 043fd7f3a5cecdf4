import { IsobmffError } from '../boxes/isobmff-error.ts'
import { readAv1Sequence, type Av1Sequence } from './read-av1-sequence.ts'
import { obuTypes, readObus, type Obu } from './read-obus.ts'

/** AV1 Codec ISO Media File Format Binding, 2.3.3: marker and version. */
const markerAndVersion = 0x81
const headBytes = 4

/** Returns the OBUs of an av1C body, possibly none. Throws `malformed`. */
export const readAv1ConfigurationObus = (configuration: Buffer): Obu[] => {
  if (configuration.length < headBytes || configuration[0] !== markerAndVersion)
    throw new IsobmffError('malformed', 'The decoder configuration is not an av1C of version 1.')
  return readObus(configuration.subarray(headBytes))
}

export const findSequenceHeader = (obus: readonly Obu[]): Obu | undefined =>
  obus.find(({ type }) => type === obuTypes.sequenceHeader)

/** Returns the sequence header of an av1C body. Throws `malformed` when it is missing. */
export const readAv1Configuration = (configuration: Buffer): Av1Sequence => {
  const header = findSequenceHeader(readAv1ConfigurationObus(configuration))
  if (header === undefined)
    throw new IsobmffError('malformed', 'The decoder configuration contains no sequence header.')
  return readAv1Sequence(header.payload)
}

/** Returns an av1C body with these OBUs and the fields of their sequence header. Throws `malformed`. */
export const writeAv1Configuration = (obus: readonly Obu[]): Buffer => {
  const header = findSequenceHeader(obus)
  if (header === undefined) throw new IsobmffError('malformed', 'The AV1 sequence header is missing.')
  const { profile, level, tier, color } = readAv1Sequence(header.payload)
  const flags =
    (tier << 7) |
    (color.bitDepth > 8 ? 0x40 : 0) |
    (color.bitDepth === 12 ? 0x20 : 0) |
    (color.isMonochrome ? 0x10 : 0) |
    (color.subsamplingX << 3) |
    (color.subsamplingY << 2) |
    color.chromaSamplePosition
  const head = Buffer.of(markerAndVersion, (profile << 5) | level, flags, 0)
  return Buffer.concat([head, ...obus.map(writeObu)])
}

/** Adds the size field, which only the last OBU of a sample may omit and every OBU of an av1C requires. */
export const writeObu = ({ bytes, payload }: Obu): Buffer => {
  const hasLength = (bytes[0]! & 0x02) !== 0
  if (hasLength) return bytes
  const head = Buffer.from(bytes.subarray(0, bytes.length - payload.length))
  head[0] = head[0]! | 0x02
  return Buffer.concat([head, writeLength(payload.length), payload])
}

const writeLength = (value: number): Buffer => {
  const digits: number[] = []
  for (let rest = value; rest > 0 || digits.length === 0; rest = Math.floor(rest / 128))
    digits.push(rest % 128)
  return Buffer.from(digits.map((digit, index) => (index === digits.length - 1 ? digit : digit | 0x80)))
}
