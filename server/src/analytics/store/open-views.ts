import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { recordedDimensions } from '../sessions/view-dimensions.ts'
import type { ViewRow } from '../sessions/view-record.ts'
import { newView, type ViewState } from '../sessions/view-state.ts'

export interface OpenView {
  readonly playoutId: string
  readonly sessionId: string
  readonly accountId: number
  readonly projectId: number
  readonly fileId: number | null
  readonly state: ViewState
}

interface OpenViewRow {
  readonly playout_id: string
  readonly session_id: string
  readonly account_id: number
  readonly project_id: number
  readonly file_id: number | null
  readonly state: ViewState
}

const openView = (row: OpenViewRow): OpenView => ({
  playoutId: row.playout_id,
  sessionId: row.session_id,
  accountId: row.account_id,
  projectId: row.project_id,
  fileId: row.file_id,
  // An older api process stores states without the later fields.
  state: { ...newView(row.state), ...row.state },
})

type Key = Pick<OpenView, 'playoutId' | 'sessionId'>

export const readOpenViews = async (tx: Tx, keys: readonly Key[]): Promise<OpenView[]> => {
  if (keys.length === 0) return []
  const { rows } = await sql<OpenViewRow>`
    select v.playout_id, v.session_id, v.account_id, v.project_id, v.file_id, v.state
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k("playoutId" uuid, "sessionId" text)
    join open_views v on v.playout_id = k."playoutId" and v.session_id = k."sessionId"`.execute(tx)
  return rows.map(openView)
}

/** Returns views without a report since this time. */
export const readSilentViews = async (tx: Tx, before: Date, limit: number): Promise<OpenView[]> => {
  const { rows } = await sql<OpenViewRow>`
    select playout_id, session_id, account_id, project_id, file_id, state
    from open_views where seen_at < ${before} order by seen_at limit ${limit}`.execute(tx)
  return rows.map(openView)
}

/** Deletes views that are over and had their last report before this time. */
export const forgetOverViews = async (tx: Tx, before: Date): Promise<void> => {
  await sql`delete from open_views where seen_at < ${before} and state @> '{"isOver": true}'`.execute(tx)
}

export const writeOpenViews = async (tx: Tx, views: readonly OpenView[]): Promise<void> => {
  if (views.length === 0) return
  const records = views.map((view) => ({
    ...view,
    kind: view.state.kind,
    isPlaying: !view.state.isOver && (view.state.sta === null || 'pr'.includes(view.state.sta)),
    seenAt: new Date(view.state.seenAtMs).toISOString(),
  }))
  await sql`
    insert into open_views (playout_id, session_id, account_id, project_id, file_id, kind, is_playing, seen_at, state)
    select r."playoutId", r."sessionId", r."accountId", r."projectId", r."fileId", r.kind, r."isPlaying", r."seenAt", r.state
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(
      "playoutId" uuid, "sessionId" text, "accountId" bigint, "projectId" bigint, "fileId" bigint, kind text,
      "isPlaying" boolean, "seenAt" timestamptz, state jsonb)
    on conflict (playout_id, session_id) do update set
      is_playing = excluded.is_playing, seen_at = excluded.seen_at, state = excluded.state`.execute(tx)
}

const endedRecord = ({ accountId, projectId, fileId, state }: OpenView) => ({
  account_id: accountId,
  project_id: projectId,
  file_id: fileId,
  kind: state.kind,
  source: state.hasStates ? 'reports' : 'loads',
  started_at: new Date(state.startedAtMs).toISOString(),
  ended_at: new Date(state.seenAtMs).toISOString(),
  watch_ms: state.watchMs,
  startup_ms: state.startupMs,
  rebuffers: state.rebuffers,
  rebuffer_ms: state.rebufferMs,
  has_started: state.hasStarted || state.watchMs > 0,
  has_failed: state.hasFailed,
  error_code: state.errorCode,
  is_complete: state.isComplete,
  bit_rate: state.ratedMs === 0 ? null : Math.round((state.ratedBits / state.ratedMs) * 1_000),
  upscaled_ms: state.scaledMs === 0 ? null : state.upscaledMs,
  dimensions: recordedDimensions(state),
})

/**
 * Writes views that have ended to their table and returns their rows. Those of a file that was purged meanwhile are dropped. Silent
 * views leave `open_views`; those that are over stay a little longer.
 */
export const endViews = async (tx: Tx, views: readonly OpenView[]): Promise<readonly ViewRow[]> => {
  if (views.length === 0) return []
  const silent = views.filter(({ state }) => !state.isOver)
  const keys = silent.map(({ playoutId, sessionId }) => ({ playoutId, sessionId }))
  await sql`
    delete from open_views v
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k("playoutId" uuid, "sessionId" text)
    where v.playout_id = k."playoutId" and v.session_id = k."sessionId"`.execute(tx)
  const { rows } = await sql<ViewRow>`
    insert into views (account_id, project_id, file_id, kind, source, started_at, ended_at, watch_ms, startup_ms, rebuffers,
      rebuffer_ms, has_started, has_failed, error_code, is_complete, bit_rate, upscaled_ms, dimensions)
    select r.account_id, r.project_id, r.file_id, r.kind, r.source, r.started_at, r.ended_at, r.watch_ms, r.startup_ms, r.rebuffers,
      r.rebuffer_ms, r.has_started, r.has_failed, r.error_code, r.is_complete, r.bit_rate, r.upscaled_ms, r.dimensions
    from jsonb_to_recordset(${JSON.stringify(views.map(endedRecord))}::jsonb) as r(
      account_id bigint, project_id bigint, file_id bigint, kind text, source text, started_at timestamptz, ended_at timestamptz,
      watch_ms bigint, startup_ms bigint, rebuffers int, rebuffer_ms bigint, has_started boolean, has_failed boolean,
      error_code text, is_complete boolean, bit_rate bigint, upscaled_ms bigint, dimensions jsonb)
    left join media_files f on f.account_id = r.account_id and f.id = r.file_id
    where r.file_id is null or f.id is not null
    returning views.*`.execute(tx)
  return rows
}
