import { amf0Markers, type Amf0Object, type Amf0Value } from './amf0-value.ts'
import { Fields } from '../wire/fields.ts'
import { RtmpError } from '../wire/rtmp-error.ts'

const maxDepth = 16
/** ffmpeg's longest metadata has about thirty values. */
const maxValues = 1_000

/**
 * Reads all values of a message. Depth and count are limited, so that a small message cannot consume many
 * resources.
 */
export const readAmf0 = (bytes: Buffer): Amf0Value[] => {
  const fields = new Fields(bytes)
  const budget = { values: maxValues }
  const values: Amf0Value[] = []
  while (fields.remainingBytes > 0) values.push(readValue(fields, budget, 0))
  return values
}

interface Budget {
  values: number
}

const readValue = (fields: Fields, budget: Budget, depth: number): Amf0Value => {
  if (depth > maxDepth)
    throw new RtmpError('malformed', `AMF values are nested more than ${maxDepth} levels deep.`)
  if (budget.values-- === 0)
    throw new RtmpError('malformed', `A message has more than ${maxValues} AMF values.`)
  const marker = fields.u8()
  switch (marker) {
    case amf0Markers.number:
      return fields.f64()
    case amf0Markers.boolean:
      return fields.u8() !== 0
    case amf0Markers.string:
      return fields.text(fields.u16())
    case amf0Markers.longString:
    case amf0Markers.xmlDocument:
      return fields.text(fields.u32())
    case amf0Markers.null:
      return null
    case amf0Markers.undefined:
    case amf0Markers.unsupported:
      return undefined
    case amf0Markers.object:
      return readProperties(fields, budget, depth)
    case amf0Markers.ecmaArray:
      // Some encoders set the count to 0, so only the end marker is used.
      fields.skip(4)
      return readProperties(fields, budget, depth)
    case amf0Markers.typedObject:
      fields.skip(fields.u16())
      return readProperties(fields, budget, depth)
    case amf0Markers.strictArray:
      return readStrictArray(fields, budget, depth)
    case amf0Markers.date:
      return readDate(fields)
    default:
      // References could create cycles, and publishers do not send AMF3 values.
      throw new RtmpError('malformed', `AMF0 values of type ${marker} are not supported.`)
  }
}

const readProperties = (fields: Fields, budget: Budget, depth: number): Amf0Object => {
  const properties = Object.create(null) as Record<string, Amf0Value>
  for (;;) {
    const key = fields.text(fields.u16())
    if (key === '' && fields.peekU8() === amf0Markers.objectEnd) {
      fields.skip(1)
      return properties
    }
    properties[key] = readValue(fields, budget, depth + 1)
  }
}

const readStrictArray = (fields: Fields, budget: Budget, depth: number): Amf0Value[] => {
  const count = fields.u32()
  if (count > fields.remainingBytes)
    throw new RtmpError('malformed', `An array claims ${count} values, more than its message contains.`)
  return Array.from({ length: Math.min(count, budget.values + 1) }, () =>
    readValue(fields, budget, depth + 1),
  )
}

/** Milliseconds in UTC and an unused time zone (AMF 0 specification, 2.13). */
const readDate = (fields: Fields): Date => {
  const date = new Date(fields.f64())
  fields.skip(2)
  return date
}
