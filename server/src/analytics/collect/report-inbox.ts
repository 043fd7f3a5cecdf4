import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Report } from '../sessions/report.ts'
import { dropReport } from './dropped-reports.ts'
import type { FindSubject, Subject } from './subjects.ts'

/** A killed process loses the reports of this time. */
const storeEveryMs = 1_000
/** Without a database, the newest reports are dropped. */
const mostWaiting = 20_000

/** What waits in the database for the sums: a report of a session, or bytes that were sent. */
export type StoredReport =
  | {
      readonly report: Report
      /** Clock of the api process when it stored the report; missing from older processes. */
      readonly clockMs?: number
    }
  | { readonly bytes: number; readonly country?: string }

export interface ReportInbox {
  readonly add: (subject: Subject, report: Report) => void
  readonly addBytes: (sent: { readonly playoutId: string; readonly country: string }, bytes: number) => void
  readonly store: () => Promise<void>
  readonly start: () => void
  readonly stop: () => Promise<void>
}

interface Waiting {
  readonly subject: Subject
  readonly stored: StoredReport
}

/** Keeps reports for a second and stores them with one statement. */
export const createReportInbox = ({
  database,
  findSubject,
  log,
}: {
  readonly database: Database
  readonly findSubject: FindSubject
  readonly log: Log
}): ReportInbox => {
  let waiting: Waiting[] = []
  /** By playout and country. */
  let sentBytes = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let last: Promise<void> = Promise.resolve()

  const bytesByFile = async (taken: ReadonlyMap<string, number>): Promise<Waiting[]> => {
    const found = await Promise.all(
      [...taken].map(async ([key, bytes]) => {
        const [playoutId = '', country] = key.split(' ')
        const subject = await findSubject(playoutId)
        return subject === null
          ? []
          : [{ subject, stored: { bytes, ...(country !== undefined && { country }) } }]
      }),
    )
    return found.flat()
  }

  const insert = async (rows: readonly Waiting[]): Promise<void> => {
    const clockMs = Date.now()
    const values = rows.map(({ subject: { accountId, projectId, fileId }, stored }) => ({
      account_id: accountId,
      project_id: projectId,
      file_id: fileId,
      report: 'report' in stored ? { ...stored, clockMs } : stored,
    }))
    await sql`
      insert into view_reports (account_id, project_id, file_id, report)
      select r.account_id, r.project_id, r.file_id, r.report
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
        as r(account_id bigint, project_id bigint, file_id bigint, report jsonb)`.execute(database.kysely)
  }

  const write = async (): Promise<void> => {
    const [reports, bytes] = [waiting, sentBytes]
    if (reports.length === 0 && bytes.size === 0) return
    waiting = []
    sentBytes = new Map()
    try {
      await insert([...reports, ...(await bytesByFile(bytes))])
    } catch (error) {
      log.warn({ err: error }, 'cannot store the reports of players; trying again')
      waiting = [...reports, ...waiting]
      for (const [key, count] of bytes) sentBytes.set(key, (sentBytes.get(key) ?? 0) + count)
    }
  }
  const store = (): Promise<void> => (last = last.then(write))

  return {
    add: (subject, report) => {
      if (waiting.length >= mostWaiting) dropReport('overload', report.lines.length + report.loads.length)
      else waiting.push({ subject, stored: { report } })
    },
    addBytes: ({ playoutId, country }, bytes) => {
      const key = `${playoutId} ${country}`
      if (bytes > 0 && (sentBytes.has(key) || sentBytes.size < mostWaiting))
        sentBytes.set(key, (sentBytes.get(key) ?? 0) + bytes)
    },
    store,
    start: () => {
      timer ??= setInterval(() => void store(), storeEveryMs)
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer)
      await store()
    },
  }
}
