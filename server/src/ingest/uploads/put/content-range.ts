import { Problem } from '../../../platform/base/problem.ts'

/**
 * RFC 9110 14.4: range of the bytes in a PUT (RFC 9110 14.5). `first` is null when the sender only asks for
 * the offset.
 */
export interface ContentRange {
  readonly first: number | null
  /** Inclusive. */
  readonly last: number | null
  /** Null when the sender does not know the size yet. */
  readonly total: number | null
}

const wrong = (header: string): Problem =>
  new Problem('content_range_malformed', { value: header.slice(0, 80) })

export const parseContentRange = (header: string): ContentRange => {
  const match = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/i.exec(header.trim())
  if (match === null) throw wrong(header)
  const [, first, last, total] = match
  const range = {
    first: first === undefined ? null : Number(first),
    last: last === undefined ? null : Number(last),
    total: total === '*' || total === undefined ? null : Number(total),
  }
  if (range.first !== null && range.last !== null) {
    if (range.last < range.first) throw wrong(header)
    if (range.total !== null && range.last >= range.total) throw wrong(header)
  }
  return range
}
