import type { FastifyRequest } from 'fastify'
import { unknownValue } from '../dimensions/names.ts'
import { findRendition } from '../dimensions/renditions.ts'
import type { CmcdKeys } from './scan-cmcd.ts'
import { countReports, dropReport } from './dropped-reports.ts'
import { readLoad } from './read-report.ts'
import type { ReportInbox } from './report-inbox.ts'
import type { ReportLimits } from './report-limits.ts'
import type { AdmittedReport, ReportReader } from './report-reader.ts'
import { createSessionFacts, type SessionFactsDependencies, type SessionRequest } from './session-facts.ts'
import type { FindSubject } from './subjects.ts'
import type { Load } from '../sessions/report.ts'

export interface CollectorDependencies extends SessionFactsDependencies {
  readonly findSubject: FindSubject
  readonly inbox: ReportInbox
  readonly limits: ReportLimits
  readonly reader: ReportReader
}

/** A request from an address, which Fastify would derive from its headers each time. */
export type ReportRequest = Omit<SessionRequest, 'subject' | 'format'>

export interface Collector {
  /** Never throws. Unknown for browsers that ask not to be tracked. */
  readonly countryOf: (request: FastifyRequest) => Promise<string>
  readonly takeReports: (from: ReportRequest, reports: readonly AdmittedReport[]) => Promise<void>
  /** Takes what a request for media says about its player. Never throws. */
  readonly takeLoad: (request: FastifyRequest, segment: LoadedSegment, keys: CmcdKeys) => Promise<void>
}

/** A segment that a player loaded. */
export interface LoadedSegment {
  readonly playoutId: string
  readonly token: string | null
  /** Null for live streams. */
  readonly renditionId: number | null
}

/** Turns requests of players into reports. Stores neither address nor user agent. */
export const createCollector = (dependencies: CollectorDependencies): Collector => {
  const { findSubject, countryOf, inbox, limits, reader } = dependencies
  const factsOf = createSessionFacts(dependencies)

  const submit = async (
    from: ReportRequest,
    { sessionId, session, lines, format }: AdmittedReport,
    loads: readonly (Load & { readonly renditionId: number | null })[],
  ): Promise<void> => {
    const { playoutId } = from
    const subject = await findSubject(playoutId)
    if (subject === null) return
    const found = factsOf({ ...from, subject, format }, session.facts)
    const facts = found instanceof Promise ? await found : found
    session.facts = facts
    countReports(lines.length + loads.length)
    const { kind, viewer, dimensions } = facts
    inbox.add(subject, {
      ...{ playoutId, sessionId, arrivedAtMs: Date.now(), kind, viewer },
      ...{ lengthMs: subject.lengthMs, sourceAtMs: subject.sourceAtMs, dimensions },
      loads: loads.map(({ renditionId, ...load }) => ({
        ...load,
        rendition: subject.renditions.find(({ id }) => id === renditionId)?.name ?? null,
      })),
      lines: lines.map((line) => {
        const rendition = findRendition(subject.renditions, line)
        return rendition === line.rendition ? line : { ...line, rendition }
      }),
    })
  }

  return {
    countryOf: async (request) => (reader.isIgnored(request) ? unknownValue : countryOf(request.ip)),
    takeReports: async (from, reports) => {
      for (const report of reports) await submit(from, report, [])
    },
    takeLoad: async (request, { playoutId, token, renditionId }, keys) => {
      if (reader.isIgnored(request)) return
      const read = readLoad(keys)
      if (read?.load == null) return
      const { sessionId, load, format } = read
      const address = request.ip
      const session = limits.admitSession(address, `${playoutId} ${sessionId}`)
      if (session === null) return dropReport('limited')
      const report = { sessionId, session, lines: [], format }
      await submit({ request, address, playoutId, token }, report, [{ ...load, renditionId }]).catch(
        (error: unknown) => {
          request.log.warn({ err: error }, 'cannot take a report of a player')
        },
      )
    },
  }
}
