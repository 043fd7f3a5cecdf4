/** AMF0 values that publishers use. Objects have no prototype, so `__proto__` is an ordinary key. */
export type Amf0Value =
  | number
  | boolean
  | string
  | null
  | undefined
  | Date
  | readonly Amf0Value[]
  | Amf0Object

export interface Amf0Object {
  readonly [key: string]: Amf0Value
}

/** Type markers of the AMF 0 specification, 2.1. */
export const amf0Markers = {
  number: 0x00,
  boolean: 0x01,
  string: 0x02,
  object: 0x03,
  null: 0x05,
  undefined: 0x06,
  ecmaArray: 0x08,
  objectEnd: 0x09,
  strictArray: 0x0a,
  date: 0x0b,
  longString: 0x0c,
  unsupported: 0x0d,
  xmlDocument: 0x0f,
  typedObject: 0x10,
} as const

export const isAmf0Object = (value: Amf0Value): value is Amf0Object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
