import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log/log.ts'
import type { PlayoutTokens } from '../playback/access/playout-token.ts'
import { createCollector, type Collector } from './collect/collector.ts'
import { createReportInbox, type ReportInbox } from './collect/report-inbox.ts'
import type { ReportLimits } from './collect/report-limits.ts'
import type { ReportReader } from './collect/report-reader.ts'
import { createSubjects } from './collect/subjects.ts'
import { createViewerHash } from './collect/viewer-hash.ts'
import { createCountries } from './dimensions/countries.ts'
import { addUpReports } from './store/add-up-reports.ts'

const addUpEveryMs = 3_000

export interface Analytics {
  readonly collector: Collector
  readonly inbox: ReportInbox
  readonly stop: () => Promise<void>
}

/** Collects reports in this process, and adds up those of all processes whenever no other one does. */
export const startAnalytics = (options: {
  readonly database: Database
  readonly tokens: PlayoutTokens
  readonly publicUrl: string
  readonly limits: ReportLimits
  readonly reader: ReportReader
  readonly isPageCollected: boolean
  /** Null = the included database. */
  readonly countryDatabase: string | null
  readonly log: Log
}): Analytics => {
  const { database, log } = options
  const findSubject = createSubjects(database)
  const inbox = createReportInbox({ database, findSubject, log })
  const collector = createCollector({
    ...options,
    findSubject,
    inbox,
    hashViewer: createViewerHash(database),
    countryOf: createCountries({ path: options.countryDatabase, log }),
  })
  inbox.start()
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= addUpReports(database)
      .catch((error: unknown) => log.warn({ err: error }, 'cannot add up the reports of players'))
      .finally(() => (running = null))
  }, addUpEveryMs)
  return {
    collector,
    inbox,
    stop: async () => {
      clearInterval(timer)
      await inbox.stop()
      await running
    },
  }
}
