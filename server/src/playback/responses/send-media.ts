import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, namesEtag } from '../../platform/http/responses/etag.ts'
import { Problem } from '../../platform/base/problem.ts'

export const hlsType = 'application/vnd.apple.mpegurl'

/** Allows players on any site to load everything, including errors. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Length, Content-Range, ETag, X-Request-Id',
} as const

export const preflightHeaders = {
  // POST is for reports of players.
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
  'Access-Control-Allow-Headers':
    'Range, If-None-Match, If-Range, Content-Type, CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status',
  'Access-Control-Max-Age': '86400',
} as const

export const sendPreflight = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.headers(corsHeaders).headers(preflightHeaders).code(204).send()

export const timeHeaders = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
} as const

/** Content that never changes under its URI may be cached for a year (RFC 8246). */
export const immutable = 'public, max-age=31536000, immutable'
export const revalidate = 'no-cache'

/**
 * Parses a single range (RFC 9110, section 14.1.2); `end` is exclusive. Returns null when it cannot be
 * satisfied, and undefined without a valid range.
 */
export const parseRange = (
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | null | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  if (first === '')
    return Number(last) === 0 ? null : { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes }
  const start = Number(first)
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  // RFC 9110, section 14.1.1: a range that ends before it starts is invalid and ignored.
  if (last !== '' && Number(last) < start) return undefined
  return start < sizeBytes ? { start, end } : null
}

/**
 * RFC 9110, section 14.2: only GET has ranges. Section 13.1.5: If-Range must match the ETag; dates never
 * match.
 */
const rangeOf = (
  { method, headers }: FastifyRequest,
  etag: string,
  sizeBytes: number,
): ReturnType<typeof parseRange> => {
  if (method !== 'GET' || headers.range === undefined) return undefined
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  return parseRange(headers.range, sizeBytes)
}

interface Media {
  readonly sizeBytes: number
  readonly etag: string
  readonly type: string
  readonly cacheControl: string
  readonly bytes: (range: { readonly start: number; readonly end: number }) => Buffer | Readable
}

/** Sends media as a whole or the requested range. Throws 'range_not_satisfiable'. */
export const sendRange = (request: FastifyRequest, reply: FastifyReply, media: Media): FastifyReply => {
  const { sizeBytes, etag, type, cacheControl } = media
  reply.header('ETag', etag)
  if (namesEtag(request.headers['if-none-match'], etag))
    return reply.code(304).header('Cache-Control', cacheControl).send()
  const range = rangeOf(request, etag, sizeBytes)
  if (range === null)
    throw new Problem(
      'range_not_satisfiable',
      { sizeBytes },
      { headers: { 'Content-Range': `bytes */${sizeBytes}` } },
    )
  const { start, end } = range ?? { start: 0, end: sizeBytes }
  reply
    .header('Content-Type', type)
    .header('Cache-Control', cacheControl)
    .header('Accept-Ranges', 'bytes')
    .header('Content-Length', end - start)
  if (range !== undefined) reply.code(206).header('Content-Range', `bytes ${start}-${end - 1}/${sizeBytes}`)
  // A stream would be read to its end only to be discarded.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : media.bytes({ start, end }))
}

export const sendMedia = (
  request: FastifyRequest,
  reply: FastifyReply,
  {
    body,
    type,
    cacheControl,
  }: { readonly body: Buffer; readonly type: string; readonly cacheControl: string },
): FastifyReply =>
  sendRange(request, reply, {
    sizeBytes: body.length,
    // Content under one address never changes, so its ETag needs no hash.
    etag: `"${body.length.toString(36)}"`,
    type,
    cacheControl,
    bytes: ({ start, end }) => body.subarray(start, end),
  })

/** Lets nginx send the file; nginx handles ranges, ETag and length itself (docs/delivery.md). */
export const sendByNginx = (
  reply: FastifyReply,
  media: { readonly location: string; readonly type: string; readonly cacheControl: string },
): FastifyReply =>
  reply
    .header('X-Accel-Redirect', media.location)
    .header('Content-Type', media.type)
    .header('Cache-Control', media.cacheControl)
    .send()

/** Sends a manifest that clients revalidate each time; an unchanged one answers 304. */
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
