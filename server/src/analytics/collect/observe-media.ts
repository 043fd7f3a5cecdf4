import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { directHook } from '../../platform/http/requests/direct-hook.ts'
import type { Collector } from './collector.ts'
import { keysOfRequest } from './read-report.ts'
import type { ReportInbox } from './report-inbox.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes that the connection had sent before this request for media. */
    mediaSentBefore: { readonly socket: Socket; readonly bytes: number } | null
  }
}

const segment = /\.m4s(?:\?|$)/
const renditionOfSegment = /\/v\/[^/]+\/([1-9][0-9]{0,14})\/[^/]+\.m4s(?:\?|$)/

const renditionIn = (url: string): number | null => {
  const [, id] = renditionOfSegment.exec(url) ?? []
  return id === undefined ? null : Number(id)
}

interface PlayoutParams {
  readonly playoutId?: string
  readonly token?: string
}

const bytesOf = ({ mediaSentBefore }: FastifyRequest): number =>
  mediaSentBefore === null ? 0 : mediaSentBefore.socket.bytesWritten - mediaSentBefore.bytes

/** Counts the bytes that the routes of this scope send, and reads the CMCD keys of requests for segments. */
export const observeMedia = (
  app: HttpServer,
  { collector, inbox }: { readonly collector: Collector; readonly inbox: ReportInbox },
): void => {
  app.decorateRequest('mediaSentBefore', null)
  app.addHook(
    'onRequest',
    directHook((request) => {
      const { socket } = request.raw
      request.mediaSentBefore = { socket, bytes: socket.bytesWritten }
    }),
  )
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const { playoutId, token = null } = paramsOf(request)
    if (playoutId === undefined || request.method !== 'GET') return
    const { statusCode } = reply.raw
    if (statusCode !== 200 && statusCode !== 206) return
    const bytes = bytesOf(request)
    void collector.countryOf(request).then((country) => inbox.addBytes({ playoutId, country }, bytes))
    const url = request.raw.url ?? ''
    const keys = segment.test(url) ? keysOfRequest(queryOf(url), request.headers) : null
    if (keys !== null)
      void collector.takeLoad(request, { playoutId, token, renditionId: renditionIn(url) }, keys)
  })
}

/** Routes of media have these parameters, and other routes of the scope none. */
const paramsOf = ({ params }: { readonly params: unknown }): PlayoutParams =>
  typeof params === 'object' && params !== null ? params : {}

/** The schema of a route removes unknown parameters from `request.query`. */
const queryOf = (url: string): { readonly CMCD?: string } => {
  const start = url.indexOf('?')
  const text = start < 0 ? null : new URLSearchParams(url.slice(start + 1)).get('CMCD')
  return text === null ? {} : { CMCD: text }
}
