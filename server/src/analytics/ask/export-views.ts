import { sql } from 'kysely'
import { runForAccount } from '../../platform/db/account-scope.ts'
import type { Database, Queryable } from '../../platform/db/database.ts'
import { csvLine } from './csv-line.ts'
import { matchingViews, type ViewFilters } from './view-filters.ts'
import { viewRecord, viewSchema } from '../sessions/view-record.ts'

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Bounds the memory of an export: the next page is read when the reader has taken this one. */
const pageSize = 1_000

const columns = Object.keys(viewSchema.properties) as (keyof ReturnType<typeof viewRecord>)[]

interface Position {
  /** As text, because a `Date` has no microseconds. */
  readonly endedAt: string
  readonly id: number
}

/** A cursor of the database would hold a transaction open as long as the slowest reader. */
const readViews = (queryable: Queryable, filters: ViewFilters, after: Position | null) =>
  matchingViews(queryable, filters)
    .$if(after !== null, (found) =>
      found.where(
        sql<boolean>`(ended_at, id) > (${after?.endedAt ?? null}::timestamptz, ${after?.id ?? null}::bigint)`,
      ),
    )
    .selectAll()
    .select(sql<string>`ended_at::text`.as('ended_text'))
    .orderBy('ended_at')
    .orderBy('id')
    .limit(pageSize)
    .execute()

type ViewRecord = ReturnType<typeof viewRecord>

const lineOf: Readonly<Record<ExportFormat, (view: ViewRecord) => string>> = {
  ndjson: (view) => `${JSON.stringify(view)}\n`,
  csv: (view) => csvLine(columns.map((column) => view[column])),
}

export interface ViewExport {
  readonly database: Database
  readonly filters: ViewFilters
  readonly format: ExportFormat
  /** Checked before each page, because the export outlives the check of its request. */
  readonly mayContinue: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** Yields the views of a period in the order in which they ended. Throws when it cannot continue, so that its reader does not mistake it for complete. */
export async function* exportViews({
  database,
  filters,
  format,
  mayContinue,
  signal,
}: ViewExport): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns)
  let after: Position | null = null
  for (;;) {
    signal.throwIfAborted()
    if (!(await mayContinue())) throw new Error('the key of this export may not read views any more')
    // The reader of the stream resumes this generator outside the scope of the request.
    const rows: Awaited<ReturnType<typeof readViews>> = await runForAccount(filters.accountId, () =>
      readViews(database.kysely, filters, after),
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => lineOf[format](viewRecord(row))).join('')
    if (rows.length < pageSize) return
    after = { endedAt: last.ended_text, id: last.id }
  }
}
