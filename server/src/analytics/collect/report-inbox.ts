import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isServerError } from '../../platform/db/driver/connection.ts'
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

/** What one transaction stores. A batch that failed is repeated as it is, because it may have been committed. */
interface Batch {
  readonly number: number
  readonly reports: readonly Waiting[]
  /** By playout and country. */
  readonly bytes: ReadonlyMap<string, number>
}

/** SQLSTATE class 22: the database refuses a value, and would refuse it again. */
const isOfValues = (error: unknown): boolean => isServerError(error) && error.code?.startsWith('22') === true

/** Keeps reports for a second and stores them in one transaction, once. */
export const createReportInbox = ({
  database,
  findSubject,
  log,
}: {
  readonly database: Pick<Database, 'transaction'>
  readonly findSubject: FindSubject
  readonly log: Pick<Log, 'warn'>
}): ReportInbox => {
  const writer = randomUUID()
  let waiting: Waiting[] = []
  let sentBytes = new Map<string, number>()
  let batchNumber = 0
  let unconfirmed: Batch | null = null
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

  const insert = async ({ number, reports, bytes }: Batch): Promise<void> => {
    const rows = [...reports, ...(await bytesByFile(bytes))]
    const clockMs = Date.now()
    const values = rows.map(({ subject: { accountId, projectId, fileId }, stored }) => ({
      account_id: accountId,
      project_id: projectId,
      file_id: fileId,
      report: 'report' in stored ? { ...stored, clockMs } : stored,
    }))
    await database.transaction(async (tx) => {
      const { rows: isNew } = await sql`
        insert into report_writers as w (id, batch) values (${writer}::uuid, ${number})
        on conflict (id) do update set batch = excluded.batch, stored_at = now() where w.batch < excluded.batch
        returning w.batch`.execute(tx)
      if (isNew.length === 0) return
      await sql`
        insert into view_reports (account_id, project_id, file_id, report)
        select r.account_id, r.project_id, r.file_id, r.report
        from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
          as r(account_id bigint, project_id bigint, file_id bigint, report jsonb)`.execute(tx)
    })
  }

  const nextBatch = (): Batch | null => {
    if (unconfirmed !== null) return unconfirmed
    if (waiting.length === 0 && sentBytes.size === 0) return null
    batchNumber += 1
    const batch = { number: batchNumber, reports: waiting, bytes: sentBytes }
    waiting = []
    sentBytes = new Map()
    return batch
  }

  const write = async (): Promise<void> => {
    for (let batch = nextBatch(); batch !== null; batch = nextBatch()) {
      unconfirmed = batch
      try {
        await insert(batch)
      } catch (error) {
        if (isOfValues(error) && batch.reports.length > 0) {
          log.warn({ err: error }, 'cannot store reports of players; they are dropped')
          dropReport('malformed', batch.reports.length)
          unconfirmed = { ...batch, reports: [] }
          continue
        }
        log.warn({ err: error }, 'cannot store the reports of players; trying again')
        return
      }
      unconfirmed = null
    }
  }
  const store = (): Promise<void> => (last = last.then(write))

  return {
    add: (subject, report) => {
      if (waiting.length + (unconfirmed?.reports.length ?? 0) >= mostWaiting)
        dropReport('overload', report.lines.length + report.loads.length)
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
