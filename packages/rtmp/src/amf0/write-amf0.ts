import { amf0Markers, type Amf0Object, type Amf0Value } from './amf0-value.ts'

export const writeAmf0 = (...values: Amf0Value[]): Buffer => Buffer.concat(values.map(writeValue))

const writeValue = (value: Amf0Value): Buffer => {
  if (value === null) return Buffer.of(amf0Markers.null)
  if (value === undefined) return Buffer.of(amf0Markers.undefined)
  if (typeof value === 'number') return writeDouble(amf0Markers.number, value)
  if (typeof value === 'boolean') return Buffer.of(amf0Markers.boolean, Number(value))
  if (typeof value === 'string') return writeString(value)
  if (value instanceof Date)
    return Buffer.concat([writeDouble(amf0Markers.date, value.getTime()), Buffer.alloc(2)])
  return isArray(value) ? writeStrictArray(value) : writeObject(value)
}

const isArray = (value: readonly Amf0Value[] | Amf0Object): value is readonly Amf0Value[] =>
  Array.isArray(value)

const writeDouble = (marker: number, value: number): Buffer => {
  const bytes = Buffer.alloc(9)
  bytes.writeUInt8(marker)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

const longestShortString = 0xffff

const writeString = (value: string): Buffer => {
  const text = Buffer.from(value)
  const isLong = text.length > longestShortString
  const head = Buffer.alloc(isLong ? 5 : 3)
  head.writeUInt8(isLong ? amf0Markers.longString : amf0Markers.string)
  head.writeUIntBE(text.length, 1, head.length - 1)
  return Buffer.concat([head, text])
}

const writeKey = (key: string): Buffer => {
  const text = Buffer.from(key)
  return Buffer.concat([Buffer.of(text.length >> 8, text.length & 0xff), text])
}

const writeObject = (value: Amf0Object): Buffer =>
  Buffer.concat([
    Buffer.of(amf0Markers.object),
    ...Object.entries(value).flatMap(([key, property]) => [writeKey(key), writeValue(property)]),
    writeKey(''),
    Buffer.of(amf0Markers.objectEnd),
  ])

const writeStrictArray = (values: readonly Amf0Value[]): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt8(amf0Markers.strictArray)
  head.writeUInt32BE(values.length, 1)
  return Buffer.concat([head, ...values.map(writeValue)])
}
