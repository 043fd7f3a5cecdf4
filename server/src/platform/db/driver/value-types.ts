import { types } from 'pg'

export type ValueParser = (text: string) => unknown

const unchanged: ValueParser = (text) => text
/** Ids are bigint in SQL but stay far below 2^53, so JavaScript numbers hold them. */
const toNumber: ValueParser = Number
const toDate: ValueParser = (text) => new Date(text)
const toBuffer: ValueParser = (text) => Buffer.from(text.slice('\\x'.length), 'hex')
const toJson: ValueParser = (text) => JSON.parse(text) as unknown

/** Object ids of a type and of its arrays, as in pg_type. */
const parsersOfTypes: readonly (readonly [oid: number, arrayOid: number, parse: ValueParser])[] = [
  [types.builtins.BOOL, 1000, (text) => text === 't'],
  [types.builtins.BYTEA, 1001, toBuffer],
  [types.builtins.INT2, 1005, toNumber],
  [types.builtins.INT4, 1007, toNumber],
  [types.builtins.INT8, 1016, toNumber],
  [types.builtins.OID, 1028, toNumber],
  [types.builtins.FLOAT4, 1021, toNumber],
  [types.builtins.FLOAT8, 1022, toNumber],
  [types.builtins.TIMESTAMP, 1115, toDate],
  [types.builtins.TIMESTAMPTZ, 1185, toDate],
  [types.builtins.JSON, 199, toJson],
  [types.builtins.JSONB, 3807, toJson],
  [types.builtins.TEXT, 1009, unchanged],
  [types.builtins.VARCHAR, 1015, unchanged],
  [types.builtins.UUID, 2951, unchanged],
  [types.builtins.NUMERIC, 1231, unchanged],
]

/** Splits the text of any array; the parser of text[] leaves the elements as they are. */
const splitArray = types.getTypeParser(1009 as never, 'text') as (text: string) => (string | null)[]

const arrayOf =
  (parse: ValueParser): ValueParser =>
  (text) =>
    splitArray(text).map((element) => (element === null ? null : parse(element)))

const parsers = new Map<number, ValueParser>(
  parsersOfTypes.flatMap(([oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, arrayOf(parse)],
  ]),
)

/**
 * Types of the values in rows; other types stay text. Set for each client, because the job queue uses `pg`
 * with its own types.
 */
export const valueTypes = {
  getTypeParser: (oid: number): ValueParser => parsers.get(oid) ?? unchanged,
}
