import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorEnvelope } from '../../../platform/http/error-envelope.ts'
import { requestIdOf } from '../../../platform/http/server.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { corsHeaders, immutable, parseRange, timeHeaders } from '../../../playback/responses/send-media.ts'

/** Longest time until a revocation takes effect. A CDN requests once a second for all its viewers. */
const shortLived = 'public, max-age=1'

const always = Object.entries({ ...corsHeaders, 'X-Content-Type-Options': 'nosniff' }).flat()

/** Returns a flat list of names and values, which node:http writes without conversion. */
const headOf = (headers: Readonly<Record<string, string | number>>): string[] => [
  ...always,
  ...Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
]

/** An answer shared by many viewers; its head is built once. */
export interface Prepared {
  readonly status: number
  readonly head: readonly string[]
  readonly pieces: readonly Buffer[]
}

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

export const prepareText = (body: Buffer, contentType: string, encoding: 'gzip' | 'plain'): Prepared => ({
  status: 200,
  head: headOf({
    'Content-Type': contentType,
    'Content-Length': body.length,
    'Cache-Control': shortLived,
    Vary: 'Accept-Encoding',
    ...(encoding === 'gzip' && { 'Content-Encoding': 'gzip' }),
  }),
  pieces: [body],
})

export const preparePoster = (picture: Buffer): Prepared => ({
  status: 200,
  head: headOf({
    'Content-Type': 'image/jpeg',
    'Content-Length': picture.length,
    'Cache-Control': shortLived,
  }),
  pieces: [picture],
})

/** `head` overrides the headers of the complete resource. */
export const prepareMedia = (
  pieces: readonly Buffer[],
  contentType: string,
  { status = 200, head = {} }: { status?: number; head?: Record<string, string> } = {},
): Prepared => ({
  status,
  head: headOf({
    'Content-Type': contentType,
    'Content-Length': sizeOf(pieces),
    'Cache-Control': immutable,
    'Accept-Ranges': 'bytes',
    ...head,
  }),
  pieces,
})

/** Returns the whole resource or the requested range. Throws 'range_not_satisfiable'. */
export const rangeOf = (request: IncomingMessage, whole: Prepared, contentType: string): Prepared => {
  if (request.headers.range === undefined || request.method !== 'GET') return whole
  const sizeBytes = sizeOf(whole.pieces)
  const range = parseRange(request.headers.range, sizeBytes)
  if (range === undefined) return whole
  if (range === null)
    throw new Problem(
      'range_not_satisfiable',
      { sizeBytes },
      { headers: { 'Content-Range': `bytes */${sizeBytes}` } },
    )
  const pieces = sliceOf(whole.pieces, range)
  const head = { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` }
  return prepareMedia(pieces, contentType, { status: 206, head })
}

/** Slices without a copy, which each viewer would hold in memory. */
const sliceOf = (
  pieces: readonly Buffer[],
  { start, end }: { readonly start: number; readonly end: number },
): Buffer[] => {
  let offset = 0
  return pieces.flatMap((piece) => {
    const before = offset
    offset += piece.length
    if (offset <= start || before >= end) return []
    return [piece.subarray(Math.max(0, start - before), end - before)]
  })
}

/** Declares that the response depends on the Origin header, so that caches store one for each origin. */
export const varyByOrigin = (response: ServerResponse): void => void response.setHeader('Vary', 'Origin')

/** All viewers share the same buffers; nothing is copied. */
export const sendPrepared = (response: ServerResponse, { status, head, pieces }: Prepared): void => {
  // The head replaces headers of the same name.
  response.writeHead(status, response.hasHeader('Vary') ? [...head, 'Vary', 'Origin'] : (head as string[]))
  if (pieces.length === 1) {
    response.end(pieces[0])
    return
  }
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}

export const sendRedirect = (response: ServerResponse, location: string): void => {
  const head = headOf({ Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 })
  response.writeHead(307, head).end()
}

export const sendNothing = (
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(204, headOf({ ...headers, 'Cache-Control': 'no-store' })).end()
}

export const sendTime = (response: ServerResponse, nowMs: number): void => {
  const body = new Date(nowMs).toISOString()
  response.writeHead(200, headOf({ ...timeHeaders, 'Content-Length': body.length })).end(body)
}

/** Sends the error envelope with no-store, because the next request may succeed. */
export const sendLiveProblem = (response: ServerResponse, problem: Problem): void => {
  if (response.headersSent) return void response.destroy()
  const requestId = requestIdOf(response.req)
  const body = Buffer.from(errorEnvelope(problem, requestId))
  const head = headOf({
    ...problem.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  })
  response.writeHead(problem.status, head).end(body)
}
