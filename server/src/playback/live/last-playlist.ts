import { gunzipSync } from 'node:zlib'
import type { NodeAnswer } from './answer-memory.ts'

const numberIn = (text: string, pattern: RegExp): number | null => {
  const [, digits] = pattern.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}

/**
 * Returns whether a playlist has all that the player knows which sends this request. RFC 8216bis 6.2.5: `_HLS_msn` and
 * `_HLS_part` are the segment and part after the newest that it knows, and a delta update may leave out only what it
 * knows. A request without them tells nothing.
 */
export const hasAllKnown = ({ headers, body }: NodeAnswer, path: string): boolean => {
  const number = numberIn(path, /[?&]_HLS_msn=(\d+)/)
  if (number === null) return true
  const part = numberIn(path, /[?&]_HLS_part=(\d+)/) ?? 0
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  const shown =
    (numberIn(text, /^#EXT-X-MEDIA-SEQUENCE:(\d+)/m) ?? 0) +
    (numberIn(text, /^#EXT-X-SKIP:.*SKIPPED-SEGMENTS=(\d+)/m) ?? 0)
  if (text.includes('#EXT-X-SKIP:') && shown > number) return false
  const [, ...segments] = text.split(/^#EXTINF:/m)
  const open = shown + segments.length
  const partCount = (segments.at(-1) ?? text).match(/^#EXT-X-PART:/gm)?.length ?? 0
  return open > number || (open === number && partCount >= part)
}
