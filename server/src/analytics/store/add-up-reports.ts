import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/db/database.ts'
import { unknownValue } from '../dimensions/names.ts'
import { renditionDimensions } from '../dimensions/renditions.ts'
import { dropReport } from '../collect/dropped-reports.ts'
import type { StoredReport } from '../collect/report-inbox.ts'
import { applyReport, exitOf, type Impossible } from '../sessions/apply-report.ts'
import type { Report } from '../sessions/report.ts'
import { measuresByDimension, mergeDimensions, nameDimensions } from '../sessions/view-dimensions.ts'
import { newView } from '../sessions/view-state.ts'
import { announceViews } from './announce-views.ts'
import {
  endViews,
  forgetOverViews,
  readOpenViews,
  readSilentViews,
  writeOpenViews,
  type OpenView,
} from './open-views.ts'
import { createSums, type Sums } from './sums.ts'
import { writeSums } from './write-sums.ts'

/** A view ends this long after its last report: paused pages still report every 30 seconds. */
export const viewEndsAfterMs = 600_000
/**
 * Reports wait this long after their arrival. Each api process stores them every second, so even a process that is four
 * seconds late has stored its part of a session by then, and the lines can be sorted.
 */
const heldMs = 5_000
/** Older api processes do not say when a report arrived. */
const arrivedAt = sql`stored_at - coalesce((report->>'clockMs')::float8 - (report->'report'->>'arrivedAtMs')::float8, 0)
  * interval '1 ms'`
/** Browsers repeat a last report whose connection was lost. A view that is over stays known for this time. */
const overKnownForMs = 60_000
const mostReports = 10_000
const mostEndings = 1_000

interface ReportRow {
  readonly id: number
  readonly account_id: number
  readonly project_id: number
  readonly file_id: number | null
  readonly stored_ms: number
  readonly report: StoredReport
}

/** Fields that lines of older api processes do not have. */
const newerFields = { bitRateKbps: null, scalePercent: null, rendition: null }

/** The report with the time of its arrival on the clock of the database: those of the api processes may differ. */
const reportOf = ({ report: stored, stored_ms }: ReportRow): Report | null => {
  if (!('report' in stored)) return null
  const { report, clockMs } = stored
  const lines = report.lines.map((line) => ({ ...newerFields, ...line }))
  if (clockMs === undefined) return { ...report, lines }
  return { ...report, lines, arrivedAtMs: report.arrivedAtMs + Math.round(stored_ms) - clockMs }
}

const keyOf = ({ playoutId, sessionId }: Pick<Report, 'playoutId' | 'sessionId'>): string =>
  `${playoutId} ${sessionId}`

interface Merged {
  readonly row: ReportRow
  readonly firstAtMs: number
  report: Report
}

/** One report for each session, so that lines of several requests are sorted together. */
const bySession = (rows: readonly ReportRow[]): ReadonlyMap<string, Merged> => {
  const merged = new Map<string, Merged>()
  for (const row of rows) {
    const report = reportOf(row)
    if (report === null) continue
    const known = merged.get(keyOf(report))
    if (known === undefined) merged.set(keyOf(report), { row, report, firstAtMs: report.arrivedAtMs })
    else
      known.report = {
        ...known.report,
        arrivedAtMs: Math.max(known.report.arrivedAtMs, report.arrivedAtMs),
        dimensions: mergeDimensions(known.report.dimensions, report.dimensions),
        lines: [...known.report.lines, ...report.lines],
        loads: [...known.report.loads, ...report.loads],
      }
  }
  return merged
}

const openedBy = ({ row, report, firstAtMs }: Merged): OpenView => ({
  playoutId: report.playoutId,
  sessionId: report.sessionId,
  accountId: row.account_id,
  projectId: row.project_id,
  fileId: row.file_id,
  state: newView({
    kind: report.kind,
    viewer: report.viewer,
    lengthMs: report.lengthMs,
    sourceAtMs: report.sourceAtMs ?? null,
    dimensions: report.dimensions,
    startedAtMs: firstAtMs,
  }),
})

/** Removes the lines that a view that is over has already had. Returns their number. */
const takeRepeatedLines = (one: Merged, { state: { ts } }: OpenView): number => {
  const { lines } = one.report
  one.report = { ...one.report, lines: lines.filter((line) => ts === null || line.ts > ts) }
  return lines.length - one.report.lines.length
}

const placeOf = ({ accountId, projectId, fileId, state: { startedAtMs } }: OpenView, atMs: number) => ({
  ...{ accountId, projectId, fileId, atMs, startedAtMs },
})

const addBytes = (sums: Sums, rows: readonly ReportRow[], nowMs: number): void => {
  for (const { account_id, project_id, file_id, report } of rows)
    if ('bytes' in report) {
      const ofFile = { accountId: account_id, projectId: project_id, fileId: file_id }
      const place = { ...ofFile, atMs: nowMs, startedAtMs: nowMs }
      sums.addMeasures(place, { bytes: report.bytes })
      sums.addDimensions(place, { bytes: report.bytes }, { country: report.country ?? unknownValue })
    }
}

/** Returns when the current source of each file arrived. */
const readSources = async (
  tx: Tx,
  reports: readonly ReportRow[],
): Promise<ReadonlyMap<number, number | null>> => {
  const fileIds = [...new Set(reports.flatMap(({ file_id }) => (file_id === null ? [] : [file_id])))]
  if (fileIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; atMs: number | null }>`
    select id, (extract(epoch from uploaded_at) * 1000)::bigint as "atMs" from media_files
    where id = any(${fileIds}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, atMs }) => [id, atMs]))
}

/** Whether the view plays a source that was replaced. A file that plays while it is uploaded has no source yet. */
const playsFormerSource = (
  { fileId, state: { sourceAtMs } }: OpenView,
  sources: ReadonlyMap<number, number | null>,
): boolean => {
  const currentAtMs = fileId === null ? null : (sources.get(fileId) ?? null)
  return sourceAtMs !== null && currentAtMs !== null && sourceAtMs !== currentAtMs
}

/** Returns the files that an alert names. */
const readWatchedFiles = async (tx: Tx, reports: readonly ReportRow[]): Promise<ReadonlySet<number>> => {
  const fileIds = [...new Set(reports.flatMap(({ file_id }) => (file_id === null ? [] : [file_id])))]
  if (fileIds.length === 0) return new Set()
  const { rows } = await sql<{ file_id: number }>`
    select distinct file_id from analytics_alerts where file_id = any(${fileIds}::bigint[])`.execute(tx)
  return new Set(rows.map(({ file_id }) => file_id))
}

/** Adds stored reports to views and sums; several runs at a time would count a view twice. Returns the number of reports. */
const addUp = async (tx: Tx, pretendedMs: number | undefined, held: number): Promise<number> => {
  const { rows: locks } = await sql<{ isOurs: boolean; nowMs: number }>`
    select pg_try_advisory_xact_lock(hashtext('zoetrope.add_up_reports')) as "isOurs",
      extract(epoch from now())::float8 * 1000 as "nowMs"`.execute(tx)
  const [lock] = locks
  if (lock?.isOurs !== true) return 0
  const nowMs = pretendedMs ?? lock.nowMs
  const { rows } = await sql<ReportRow>`
    select id, account_id, project_id, file_id, extract(epoch from stored_at)::float8 * 1000 as stored_ms, report
    from view_reports
    where ${arrivedAt} <= now() - ${held}::float8 * interval '1 ms' order by id limit ${mostReports}`.execute(
    tx,
  )
  const sums = createSums(await readWatchedFiles(tx, rows))
  addBytes(sums, rows, nowMs)
  const merged = bySession(rows)
  const sources = await readSources(tx, rows)
  await forgetOverViews(tx, new Date(nowMs - overKnownForMs))
  const known = await readOpenViews(
    tx,
    [...merged.values()].map(({ report }) => report),
  )
  const views = new Map(known.map((view) => [keyOf(view), view]))
  const dropped = new Map<Impossible, number>()
  const changed: OpenView[] = []
  for (const [key, one] of merged) {
    const before = views.get(key) ?? null
    if (before?.state.isOver === true) {
      const repeated = takeRepeatedLines(one, before)
      if (repeated > 0) dropped.set('late', (dropped.get('late') ?? 0) + repeated)
      if (one.report.lines.length === 0) continue
    }
    // A session that continues after its end, such as on a page from the back/forward cache, is another view.
    const view = before === null || before.state.isOver ? openedBy(one) : before
    const { state } = view
    const place = placeOf(view, one.report.arrivedAtMs)
    nameDimensions(state, one.report.dimensions)
    const delta = applyReport(state, one.report)
    sums.addDelta(place, state, delta)
    if (!playsFormerSource(view, sources)) sums.addHeat(place, state, delta)
    sums.addDimensions(
      place,
      measuresByDimension(state, delta.measures, { hasEnded: false }),
      state.dimensions,
    )
    for (const [name, part] of delta.byRendition) sums.addDimensions(place, part, renditionDimensions(name))
    for (const [reason, count] of Object.entries(delta.dropped) as [Impossible, number][])
      dropped.set(reason, (dropped.get(reason) ?? 0) + count)
    changed.push(view)
  }
  const silent = await readSilentViews(tx, new Date(nowMs - viewEndsAfterMs), mostEndings)
  const ended = [
    ...changed.filter(({ state }) => state.isOver),
    ...silent.filter((view) => !merged.has(keyOf(view))),
  ]
  for (const view of ended) {
    const { state } = view
    const place = placeOf(view, state.seenAtMs)
    const measures = exitOf(state)
    sums.addMeasures(place, measures)
    sums.addDimensions(place, measuresByDimension(state, measures, { hasEnded: true }), state.dimensions)
    sums.addDimensions(place, measures, renditionDimensions(state.rendition))
  }
  await writeOpenViews(tx, changed)
  await announceViews(tx, await endViews(tx, ended))
  await writeSums(tx, sums)
  if (rows.length > 0)
    await sql`delete from view_reports where id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  for (const [reason, count] of dropped) dropReport(reason, count)
  return rows.length
}

/** One run in a transaction of its own. */
export const addUpReports = (
  database: Pick<Database, 'transaction'>,
  { nowMs, held = heldMs }: { readonly nowMs?: number; readonly held?: number } = {},
): Promise<number> => database.transaction((tx) => addUp(tx, nowMs, held))
