import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type ContentCoding = 'br' | 'gzip'

/** Smaller bodies fit into three network packets; compressing them costs more time than it saves. */
const minSizeBytes = 4096

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
// Takes the time of gzip at its default level for a smaller body.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Returns the weight that `Accept-Encoding` gives a coding, 0 to 1 (RFC 9110 12.5.3). An unlisted coding has
 * the weight of `*`, else 0.
 */
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

/** Prefers Brotli when the client weights it at least as high as gzip; null for the plain body. */
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

/** Compresses a buffer once while it lives, because the API answers many requests with the same one. */
export const compress = (body: Buffer | string, coding: ContentCoding): Promise<Buffer> => {
  if (typeof body === 'string') return compressNow(body, coding)
  const known = compressed[coding].get(body)
  if (known !== undefined) return known
  const made = compressNow(body, coding)
  compressed[coding].set(body, made)
  return made
}

/**
 * RFC 9110 8.8.3.3: each coding of a representation has its own strong ETag. No ETag of the API contains a
 * dot.
 */
export const codedEtag = (etag: string, coding: ContentCoding): string => `${etag.slice(0, -1)}.${coding}"`

export const withoutCoding = (etag: string): string => etag.replace(/\.(?:br|gzip)"$/, '"')
