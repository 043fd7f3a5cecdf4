import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorEnvelope } from '../../http/error-envelope.ts'
import { requestIdOf } from '../../http/server.ts'
import { Problem } from '../../kernel/problem.ts'
import { corsHeaders, immutable, parseRange, timeHeaders } from '../../playout/send-media.ts'

/** As long as anything stays that is taken back; a CDN asks once a second for all of its viewers. */
const shortLived = 'public, max-age=1'

const always = Object.entries({ ...corsHeaders, 'X-Content-Type-Options': 'nosniff' }).flat()

/** A flat list of names and values, which node:http writes as it is. */
const headOf = (headers: Readonly<Record<string, string | number>>): string[] => [
  ...always,
  ...Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
]

/** An answer that is the same for many; its head is made once. */
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

/** `head` overrides what a whole one has. */
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

/** Media whole, or the range of it that was asked for. */
export const rangeOf = (request: IncomingMessage, whole: Prepared, contentType: string): Prepared => {
  if (request.headers.range === undefined || request.method !== 'GET') return whole
  const sizeBytes = sizeOf(whole.pieces)
  const range = parseRange(request.headers.range, sizeBytes)
  if (range === undefined) return whole
  if (range === null)
    throw new Problem(
      'range_not_satisfiable',
      `The resource has ${sizeBytes} bytes; ask for a range within them.`,
      {
        headers: { 'Content-Range': `bytes */${sizeBytes}` },
      },
    )
  const pieces = sliceOf(whole.pieces, range)
  const head = { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` }
  return prepareMedia(pieces, contentType, { status: 206, head })
}

/** Without a copy, which each viewer would hold for itself. */
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

/** All get the same Buffers: nothing is copied. */
export const sendPrepared = (response: ServerResponse, { status, head, pieces }: Prepared): void => {
  response.writeHead(status, head as string[])
  if (pieces.length === 1) {
    response.end(pieces[0])
    return
  }
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}

/** To where it lies now. */
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

/** The clock that the times of the manifest are of. */
export const sendTime = (response: ServerResponse, nowMs: number): void => {
  const body = new Date(nowMs).toISOString()
  response.writeHead(200, headOf({ ...timeHeaders, 'Content-Length': body.length })).end(body)
}

/** In the envelope of all errors. No cache may keep it: the next moment the answer may be another one. */
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
