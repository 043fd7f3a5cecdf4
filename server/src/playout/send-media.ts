import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, namesEtag } from '../http/etag.ts'
import { Problem } from '../kernel/problem.ts'

export const hlsType = 'application/vnd.apple.mpegurl'

export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range',
  'Access-Control-Expose-Headers': 'Content-Length, Content-Range, X-Request-Id',
} as const

/** What never changes under its URI may be kept for a year (RFC 8246). */
export const immutable = 'public, max-age=31536000, immutable'
export const revalidate = 'no-cache'

/** RFC 9110 14.1.2, one range; null when it cannot be satisfied, undefined where there is none to honour. */
const parseRange = (
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | null | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  if (first === '')
    return last === '0' ? null : { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes }
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  // A range that ends before it starts is no range (RFC 9110 14.1.1): it is passed over.
  if (last !== '' && Number(last) < start) return undefined
  return start < sizeBytes ? { start, end } : null
}

/** Sends bytes that are in memory, whole or the range that was asked for. */
export const sendMedia = (
  request: FastifyRequest,
  reply: FastifyReply,
  media: { readonly body: Buffer; readonly type: string; readonly cacheControl: string },
): FastifyReply => {
  // RFC 9110 14.2: only GET has ranges; with other methods the header must be passed over.
  const range = request.method === 'GET' ? parseRange(request.headers.range, media.body.length) : undefined
  if (range === null)
    throw new Problem(
      'range_not_satisfiable',
      `The resource has ${media.body.length} bytes; ask for a range within them.`,
      {
        headers: { 'Content-Range': `bytes */${media.body.length}` },
      },
    )
  reply
    .header('Content-Type', media.type)
    .header('Cache-Control', media.cacheControl)
    .header('Accept-Ranges', 'bytes')
  if (range === undefined) return reply.send(media.body)
  return reply
    .code(206)
    .header('Content-Range', `bytes ${range.start}-${range.end - 1}/${media.body.length}`)
    .send(media.body.subarray(range.start, range.end))
}

/** A manifest that may still change is asked for again each time, and costs nothing when it has not. */
export const sendManifest = (
  request: FastifyRequest,
  reply: FastifyReply,
  manifest: { readonly text: string; readonly type: string },
): FastifyReply => {
  const etag = etagOf(manifest.text)
  reply.header('ETag', etag).header('Cache-Control', revalidate)
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('Content-Type', manifest.type).send(manifest.text)
}
