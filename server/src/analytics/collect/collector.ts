import type { FastifyRequest } from 'fastify'
import type { ViewKind } from '../../platform/db/tables/analytics.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { PlayoutTokens } from '../../playback/access/playout-token.ts'
import type { Report } from '../sessions/report.ts'
import { isBot } from './is-bot.ts'
import { unknownValue } from '../dimensions/names.ts'
import type { CountryOf } from '../dimensions/countries.ts'
import { declaredIn } from './declared-dimensions.ts'
import { dimensionsOf } from './dimensions-of.ts'
import { countReports, dropReport } from './dropped-reports.ts'
import { readLine, readLoad } from './read-report.ts'
import type { CmcdKeys } from './scan-cmcd.ts'
import type { ReportInbox } from './report-inbox.ts'
import type { ReportLimits } from './report-limits.ts'
import type { FindSubject } from './subjects.ts'
import type { HashViewer } from './viewer-hash.ts'

export const mostLines = 50

export interface CollectorDependencies {
  readonly tokens: PlayoutTokens
  readonly findSubject: FindSubject
  readonly hashViewer: HashViewer
  readonly countryOf: CountryOf
  readonly inbox: ReportInbox
  readonly limits: ReportLimits
  /** Collect nothing of browsers that ask not to be tracked. */
  readonly isOptOutRespected: boolean
  readonly isPageCollected: boolean
  readonly publicUrl: string
}

export interface Collector {
  /** Never throws. Unknown for browsers that ask not to be tracked. */
  readonly countryOf: (request: FastifyRequest) => Promise<string>
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

interface OfSession extends Pick<Report, 'lines' | 'loads'> {
  readonly format: string | null
}

/** DNT, and Global Privacy Control. */
const isOptedOut = ({ headers }: FastifyRequest): boolean =>
  headers['dnt'] === '1' || headers['sec-gpc'] === '1'

const tooMany = (): Problem => new Problem('too_many_view_reports', {}, { headers: { 'Retry-After': '5' } })

/** Turns requests of players into reports. Stores neither address nor user agent. */
export const createCollector = (dependencies: CollectorDependencies): Collector => {
  const { tokens, findSubject, hashViewer, countryOf, inbox, limits } = dependencies

  const kindOf = (request: FastifyRequest, playoutId: string, token: string | null): ViewKind => {
    if (token !== null && tokens.check(token, playoutId)?.kind === 'preview') return 'preview'
    return isBot(request.headers['user-agent']) ? 'bot' : 'viewer'
  }
  const isIgnored = (request: FastifyRequest): boolean =>
    dependencies.isOptOutRespected && isOptedOut(request)

  const submit = async (
    request: FastifyRequest,
    { playoutId, token }: { readonly playoutId: string; readonly token: string | null },
    sessions: ReadonlyMap<string, OfSession>,
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
    }
    const { isPageCollected, publicUrl } = dependencies
    const { headers } = request
    const country = await countryOf(request.ip)
    const declared = declaredIn(request.raw.url ?? '', subject.customNames)
    for (const [sessionId, { lines, loads, format }] of sessions) {
      if (!limits.admitsSession(request.ip, `${playoutId} ${sessionId}`)) {
        dropReport('limited', lines.length + loads.length)
        if (sessions.size === 1) throw tooMany()
        continue
      }
      countReports(lines.length + loads.length)
      const dimensions = dimensionsOf({
        ...{ headers, declared, format, country, subject, isPageCollected, publicUrl },
      })
      inbox.add(subject, { ...common, sessionId, dimensions, lines, loads })
    }
  }

  return {
    countryOf: async (request) => (isIgnored(request) ? unknownValue : countryOf(request.ip)),
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
          {
            lines: lines.map(({ line }) => line),
            loads: [],
            format: lines.find(({ format }) => format !== null)?.format ?? null,
          },
        ]),
      )
      await submit(request, { playoutId, token }, sessions)
    },
    takeLoad: async (request, playoutId, token, keys) => {
      if (isIgnored(request)) return
      const read = readLoad(keys)
      if (read?.load == null) return
      const { sessionId, load, format } = read
      const one = new Map([[sessionId, { lines: [], loads: [load], format }]])
      await submit(request, { playoutId, token }, one).catch((error: unknown) => {
        if (!(error instanceof Problem)) request.log.warn({ err: error }, 'cannot take a report of a player')
      })
    },
  }
}
