import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type ContentCoding = 'br' | 'gzip'

/** Smaller bodies fit into three network packets; compressing them costs more time than it saves. */
const minSizeBytes = 4096

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
// Takes the time of gzip at its default level and makes a smaller body.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The weight that `Accept-Encoding` gives a coding, 0 to 1 (RFC 9110 12.5.3). A coding that it does not name gets that of `*`, else 0. */
const weightOf = (header: string, coding: ContentCoding): number => {
  let wildcard = 0
  for (const element of header.toLowerCase().split(',')) {
    const [name, ...parameters] = element.split(';').map((part) => part.trim())
    if (name !== coding && name !== '*') continue
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
    const value = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
    if (name === coding) return value
    wildcard = value
  }
  return wildcard
}

export const isLargeEnoughToCompress = (body: Buffer | string): boolean => body.length >= minSizeBytes

/** Brotli where the client accepts it as gladly as gzip; null for the plain body. */
export const codingFor = (acceptEncoding: string | string[] | undefined): ContentCoding | null => {
  if (acceptEncoding === undefined) return null
  const header = String(acceptEncoding)
  const brotliWeight = weightOf(header, 'br')
  const gzipWeight = weightOf(header, 'gzip')
  if (brotliWeight === 0 && gzipWeight === 0) return null
  return brotliWeight >= gzipWeight ? 'br' : 'gzip'
}

const compressed: Record<ContentCoding, WeakMap<Buffer, Promise<Buffer>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
}

const compressNow = (body: Buffer | string, coding: ContentCoding): Promise<Buffer> =>
  coding === 'br' ? brotli(body, brotliOptions) : zip(body)

/** A buffer is compressed once for as long as it is kept, because the API answers many requests with the same one. */
export const compress = (body: Buffer | string, coding: ContentCoding): Promise<Buffer> => {
  if (typeof body === 'string') return compressNow(body, coding)
  const known = compressed[coding].get(body)
  if (known !== undefined) return known
  const made = compressNow(body, coding)
  compressed[coding].set(body, made)
  return made
}

/** RFC 9110 8.8.3.3: each coding of a representation has a strong ETag of its own. No ETag of the API contains a dot. */
export const codedEtag = (etag: string, coding: ContentCoding): string => `${etag.slice(0, -1)}.${coding}"`

export const withoutCoding = (etag: string): string => etag.replace(/\.(?:br|gzip)"$/, '"')
