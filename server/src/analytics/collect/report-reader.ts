import type { FastifyRequest } from 'fastify'
import { Problem } from '../../platform/base/problem.ts'
import type { Report } from '../sessions/report.ts'
import { dropReport } from './dropped-reports.ts'
import { readLine } from './read-report.ts'
import type { KnownSession, ReportLimits } from './report-limits.ts'

export const mostLines = 50

/** What one request reports about a session. */
export interface SessionReport {
  readonly lines: Report['lines'][number][]
  /** Streaming format; null if no line names it. */
  format: string | null
}

export interface AdmittedReport extends SessionReport {
  readonly sessionId: string
  readonly session: KnownSession
}

export interface ReportReader {
  /** Whether the browser asks not to be tracked, and the operator respects that. */
  readonly isIgnored: (request: FastifyRequest) => boolean
  /** Reads the body of a report by session. Throws 'invalid' if no line can be read, and 'rate_limited'. */
  readonly read: (request: FastifyRequest, address: string, playoutId: string) => AdmittedReport[]
}

/** DNT, and Global Privacy Control. */
const isOptedOut = ({ headers }: FastifyRequest): boolean =>
  headers['dnt'] === '1' || headers['sec-gpc'] === '1'

const tooMany = (): Problem => new Problem('too_many_view_reports', {}, { headers: { 'Retry-After': '5' } })

const readSessions = (body: unknown): Map<string, SessionReport> => {
  const texts = typeof body === 'string' ? body.split('\n') : []
  const sessions = new Map<string, SessionReport>()
  let [lineCount, malformed] = [0, 0]
  for (const padded of texts) {
    const text = padded.trim()
    if (text === '') continue
    lineCount += 1
    if (lineCount > mostLines) continue
    const read = readLine(text)
    if (read === null) {
      malformed += 1
      continue
    }
    const { sessionId, line, format } = read
    const known = sessions.get(sessionId)
    if (known === undefined) sessions.set(sessionId, { lines: [line], format })
    else {
      known.lines.push(line)
      known.format ??= format
    }
  }
  if (lineCount > mostLines) dropReport('excess', lineCount - mostLines)
  if (malformed > 0) dropReport('malformed', malformed)
  if (sessions.size === 0) throw new Problem('view_report_malformed')
  return sessions
}

export const createReportReader = ({
  limits,
  isOptOutRespected,
}: {
  readonly limits: ReportLimits
  readonly isOptOutRespected: boolean
}): ReportReader => ({
  isIgnored: (request) => isOptOutRespected && isOptedOut(request),
  read: (request, address, playoutId) => {
    if (!limits.admitsNetwork(address)) {
      dropReport('limited')
      throw tooMany()
    }
    const sessions = readSessions(request.body)
    const admitted: AdmittedReport[] = []
    for (const [sessionId, report] of sessions) {
      const session = limits.admitSession(address, `${playoutId} ${sessionId}`)
      if (session !== null) admitted.push({ sessionId, session, lines: report.lines, format: report.format })
      else {
        dropReport('limited', report.lines.length)
        if (sessions.size === 1) throw tooMany()
      }
    }
    return admitted
  },
})
