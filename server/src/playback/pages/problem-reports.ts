import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../platform/http/limits/refusals.ts'

/** Lines for each minute and process: anyone can send reports, and the log must not fill the disk. */
const linesPerMinute = 120
/** The share of one network, so that a single sender does not take the ids of all others. */
const linesPerNetwork = 30
/** Crockford's base32: no letters that are mistaken for digits on the telephone. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const longestUserAgent = 200

export interface ProblemReport {
  readonly playoutId: string
  readonly reason: string
  readonly detail?: string
}

/** Logs a problem of a viewer and returns its support id, or null when too many were logged in this minute. */
export type ReportProblem = (request: FastifyRequest, report: ProblemReport) => string | null

const newSupportId = (): string => {
  const text = [...randomBytes(8)].map((byte) => letters[byte % letters.length]).join('')
  return `${text.slice(0, 4)}-${text.slice(4)}`
}

export const createProblemReports = (now: () => number = Date.now): ReportProblem => {
  let minute = 0
  let lines = 0
  let linesOf = new Map<string, number>()
  return (request, report) => {
    const thisMinute = Math.floor(now() / 60_000)
    if (thisMinute !== minute) {
      minute = thisMinute
      lines = 0
      linesOf = new Map()
    }
    const network = networkOf(request.ip)
    const networkLines = linesOf.get(network) ?? 0
    if (lines >= linesPerMinute || networkLines >= linesPerNetwork) return null
    lines += 1
    linesOf.set(network, networkLines + 1)
    const supportId = newSupportId()
    const userAgent = request.headers['user-agent']?.slice(0, longestUserAgent)
    request.log.info({ supportId, requestId: request.id, ...report, userAgent }, 'a video did not play')
    return supportId
  }
}
