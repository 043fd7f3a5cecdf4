import type { EventName } from '@zoetrope/vocabulary'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { isUnchanged } from '../../platform/db/is-unchanged.ts'
import { emit } from '../../platform/outbox/outbox.ts'
import { outgrows } from '../../platform/base/outgrows.ts'
import { Problem } from '../../platform/base/problem.ts'
import { exactCounts } from './project-counts.ts'
import { renderProject, type ProjectRow } from './project-record.ts'

export const projectNotFound = (projectId: number): Problem => new Problem('project_not_found', { projectId })

/**
 * Returns a live project of the account. Throws 'not_found' for deleted projects and those of other accounts
 * alike.
 */
export const findProject = async (
  queryable: Queryable,
  accountId: number,
  projectId: number,
): Promise<ProjectRow> => {
  const row = await queryable
    .selectFrom('projects')
    .selectAll()
    .select(exactCounts)
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw projectNotFound(projectId)
  return row
}

export interface ProjectChange {
  readonly external_id?: string | null
  readonly name?: string
  readonly description?: string
  readonly default_release_status?: ProjectRow['default_release_status']
  readonly token_security?: boolean
  readonly allowed_domains?: string
  readonly analytics_dimensions?: string
  readonly encoder_settings?: string
  readonly metadata_fields?: string
  readonly storage_quota_bytes?: number | null
  readonly player_color?: string | null
  readonly has_heat_map?: boolean
  readonly player_logo?: string | null
  readonly deleted_at?: Date | null
  readonly purge_at?: Date | null
  readonly is_restoring?: boolean
}

export const insertProject = async (
  tx: Tx,
  publicUrl: string,
  accountId: number,
  change: ProjectChange & { readonly name: string },
): Promise<ProjectRow> => {
  const row = await tx
    .insertInto('projects')
    .values({ ...change, account_id: accountId, event_sequence: 1 })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitProjectEvent(tx, publicUrl, row, 'project.new')
  return row
}

/**
 * Updates a project and emits its event. Without an actual change, the version stays and no event is sent.
 */
export const changeProject = async (
  tx: Tx,
  publicUrl: string,
  project: ProjectRow,
  change: ProjectChange,
  event: EventName,
): Promise<ProjectRow> => {
  if (isUnchanged(project, change)) return project
  const row = await tx
    .updateTable('projects')
    .set((set) => ({
      ...change,
      updated_at: new Date(),
      version: set('version', '+', 1),
      event_sequence: set('event_sequence', '+', 1),
    }))
    .where('account_id', '=', project.account_id)
    .where('id', '=', project.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitProjectEvent(tx, publicUrl, row, event)
  return row
}

/** Webhook bodies stay within 64 KiB; the rest is for the other fields of the event. */
const maxRecordBytes = 60 * 1024

/** Checks a record that a client has written. Throws 'invalid' when it is too large for a webhook. */
export const checkProjectSize = (publicUrl: string, before: ProjectRow | null, after: ProjectRow): void => {
  const textBefore = before === null ? '' : renderProject(before, publicUrl)
  if (outgrows(textBefore, renderProject(after, publicUrl), maxRecordBytes))
    throw new Problem('project_record_too_large', { maxBytes: maxRecordBytes })
}

const emitProjectEvent = async (
  tx: Tx,
  publicUrl: string,
  row: ProjectRow,
  name: EventName,
): Promise<void> => {
  await emit(tx, {
    accountId: row.account_id,
    projectId: row.id,
    fileId: null,
    name,
    sequence: row.event_sequence,
    subject: 'Project',
    record: renderProject(row, publicUrl),
  })
}
