import type { FastifyRequest } from 'fastify'
import type { ViewKind } from '../../platform/db/tables/analytics.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { PlayoutTokens } from '../../playback/access/playout-token.ts'
import type { Report } from '../sessions/report.ts'
import { isBot } from './is-bot.ts'
import { countReports, dropReport } from './dropped-reports.ts'
import { readLine, readLoad } from './read-report.ts'
import type { CmcdKeys } from './scan-cmcd.ts'
import type { ReportInbox } from './report-inbox.ts'
import type { ReportLimits } from './report-limits.ts'
import { siteOf } from './site-of.ts'
import type { FindSubject } from './subjects.ts'
import type { HashViewer } from './viewer-hash.ts'

export const mostLines = 50

export interface CollectorDependencies {
  readonly tokens: PlayoutTokens
  readonly findSubject: FindSubject
  readonly hashViewer: HashViewer
  readonly inbox: ReportInbox
  readonly limits: ReportLimits
  /** Collect nothing of browsers that ask not to be tracked. */
  readonly isOptOutRespected: boolean
  readonly publicUrl: string
}

export interface Collector {
  /** Takes the body of a report. Throws 'invalid' if no line can be read, and 'rate_limited'. */
  readonly takeReports: (request: FastifyRequest, playoutId: string, token: string | null) => Promise<void>
  /** Takes what a request for media says about its player. Never throws. */
  readonly takeLoad: (
    request: FastifyRequest,
    playoutId: string,
    token: string | null,
    keys: CmcdKeys,
  ) => Promise<void>
}

/** DNT, and Global Privacy Control. */
const isOptedOut = ({ headers }: FastifyRequest): boolean =>
  headers['dnt'] === '1' || headers['sec-gpc'] === '1'

const tooMany = (): Problem => new Problem('too_many_view_reports', {}, { headers: { 'Retry-After': '5' } })

/** Turns requests of players into reports. Stores neither address nor user agent. */
export const createCollector = (dependencies: CollectorDependencies): Collector => {
  const { tokens, findSubject, hashViewer, inbox, limits } = dependencies

  const kindOf = (request: FastifyRequest, playoutId: string, token: string | null): ViewKind => {
    if (token !== null && tokens.check(token, playoutId)?.kind === 'preview') return 'preview'
    return isBot(request.headers['user-agent']) ? 'bot' : 'viewer'
  }
  const isIgnored = (request: FastifyRequest): boolean =>
    dependencies.isOptOutRespected && isOptedOut(request)

  const submit = async (
    request: FastifyRequest,
    { playoutId, token }: { readonly playoutId: string; readonly token: string | null },
    sessions: ReadonlyMap<string, Pick<Report, 'lines' | 'loads'>>,
  ): Promise<void> => {
    const subject = await findSubject(playoutId)
    if (subject === null) return
    const viewer = await hashViewer(request.ip, request.headers['user-agent'] ?? '')
    const common = {
      playoutId,
      arrivedAtMs: Date.now(),
      kind: kindOf(request, playoutId, token),
      viewer,
      lengthMs: subject.lengthMs,
      dimensions: { site: siteOf(request.headers, dependencies.publicUrl) },
    }
    for (const [sessionId, { lines, loads }] of sessions) {
      if (!limits.admitsSession(request.ip, `${playoutId} ${sessionId}`)) {
        dropReport('limited', lines.length + loads.length)
        if (sessions.size === 1) throw tooMany()
        continue
      }
      countReports(lines.length + loads.length)
      inbox.add(subject, { ...common, sessionId, lines, loads })
    }
  }

  return {
    takeReports: async (request, playoutId, token) => {
      if (isIgnored(request)) return
      if (!limits.admitsNetwork(request.ip)) {
        dropReport('limited')
        throw tooMany()
      }
      const text = typeof request.body === 'string' ? request.body : ''
      const all = text.split('\n').filter((line) => line.trim() !== '')
      if (all.length > mostLines) dropReport('excess', all.length - mostLines)
      const found = all.slice(0, mostLines).map((line) => readLine(line.trim()))
      const read = found.filter((line) => line !== null)
      if (read.length < found.length) dropReport('malformed', found.length - read.length)
      if (read.length === 0) throw new Problem('view_report_malformed')
      const sessions = new Map(
        [...Map.groupBy(read, ({ sessionId }) => sessionId)].map(([sessionId, lines]) => [
          sessionId,
          { lines: lines.map(({ line }) => line), loads: [] },
        ]),
      )
      await submit(request, { playoutId, token }, sessions)
    },
    takeLoad: async (request, playoutId, token, keys) => {
      if (isIgnored(request)) return
      const read = readLoad(keys)
      if (read?.load == null) return
      const one = new Map([[read.sessionId, { lines: [], loads: [read.load] }]])
      await submit(request, { playoutId, token }, one).catch((error: unknown) => {
        if (!(error instanceof Problem)) request.log.warn({ err: error }, 'cannot take a report of a player')
      })
    },
  }
}
