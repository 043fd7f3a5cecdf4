import type { Principal } from '../../platform/http/requests/authenticate.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { ReleaseStatus } from '../../platform/db/tables/projects.ts'
import { outgrows } from '../../platform/base/outgrows.ts'
import { invalidField, Problem } from '../../platform/base/problem.ts'
import { checkNamedProject } from '../projects/check-named-project.ts'
import { readElements } from './playlist-elements.ts'
import type { ElementsWrite, PlaylistCreate, PlaylistUpdate } from './playlist-write-schema.ts'
import { rulesOf, type PlaylistRow } from './playlist-row.ts'
import { applyRules } from './rules/playlist-rules.ts'
import type { PlaylistChange, PlaylistScope } from './playlist-store.ts'

/**
 * Caller and limits of a write. The checks below throw 'invalid' with the field, or 'forbidden' for a missing
 * permission.
 */

export interface Writer {
  readonly principal: Principal
  readonly scope: PlaylistScope
  readonly maxElements: number
}

/**
 * Throws 'forbidden' when the caller may not write playlists in this project, where a user may have a lower
 * role than in the account.
 */
export const checkMayWrite = (principal: Principal, projectId: number | null): void => {
  if (!principal.can('playlists:write', projectId ?? undefined))
    throw projectId === null
      ? new Problem('permission_missing_outside_projects', { permission: 'playlists:write' })
      : new Problem('permission_missing_in_project', { permission: 'playlists:write', projectId })
}

const checkMayPublish = (principal: Principal, projectId: number | null): void => {
  if (!principal.can('files:publish', projectId ?? undefined))
    throw new Problem('permission_missing', { permission: 'files:publish' })
}

type Release = Pick<PlaylistRow, 'project_id' | 'release_status'>

/** Unpublishing needs the permission in the old project; publishing, and moving a published playlist, in the new one. */
const checkMayRelease = (principal: Principal, before: Release, after: Release): void => {
  const wasPublished = before.release_status === 'published'
  const isPublished = after.release_status === 'published'
  if (wasPublished && !isPublished) checkMayPublish(principal, before.project_id)
  if (isPublished && (!wasPublished || before.project_id !== after.project_id))
    checkMayPublish(principal, after.project_id)
}

/** Returns the default status of new playlists; outside projects it is unpublished. */
const defaultStatusIn = async (
  queryable: Queryable,
  scope: PlaylistScope,
  projectId: number | null,
): Promise<ReleaseStatus> =>
  (await checkNamedProject(queryable, scope, projectId))?.default_release_status ?? 'unpublished'

export const idsOf = (elements: ElementsWrite): number[] =>
  elements.map((element) => (typeof element === 'number' ? element : element.FileId))

const existingFiles = async (
  queryable: Queryable,
  scope: PlaylistScope,
  projectId: number | null,
  fileIds: readonly number[],
): Promise<Set<number>> => {
  if (fileIds.length === 0) return new Set()
  const rows = await queryable
    .selectFrom('media_files as f')
    .innerJoin('projects as p', (join) =>
      join.onRef('p.account_id', '=', 'f.account_id').onRef('p.id', '=', 'f.project_id'),
    )
    .select('f.id')
    .where('f.account_id', '=', scope.accountId)
    .where('f.id', 'in', [...new Set(fileIds)])
    .where('f.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .$if(projectId !== null, (query) => query.where('f.project_id', '=', projectId ?? 0))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Throws 'invalid' for the first file that is unknown, foreign or deleted, with its path in the request body.
 */
export const checkElements = async (
  queryable: Queryable,
  scope: PlaylistScope,
  projectId: number | null,
  elements: ElementsWrite,
): Promise<void> => {
  const fileIds = idsOf(elements)
  const known = await existingFiles(queryable, scope, projectId, fileIds)
  const index = fileIds.findIndex((id) => !known.has(id))
  if (index < 0) return
  const field = typeof elements[index] === 'number' ? `Elements[${index}]` : `Elements[${index}].FileId`
  const fileId = fileIds[index] as number
  throw projectId === null
    ? invalidField(field, 'unknown_file', { fileId })
    : invalidField(field, 'unknown_file_in_project', { fileId, projectId })
}

/** Webhooks carry the description beside the rules. Ordinary text of any script has less than this. */
const maxDescriptionBytes = 40 * 1024

/** Control characters have six bytes each in JSON. Throws 'invalid', unless an older description becomes shorter. */
const checkDescription = (before: string, after: string): void => {
  if (outgrows(JSON.stringify(before), JSON.stringify(after), maxDescriptionBytes))
    throw invalidField('Description', 'metadata_too_large', { maxBytes: maxDescriptionBytes })
}

export const toNewPlaylist = async (
  tx: Tx,
  { principal, scope }: Writer,
  body: PlaylistCreate,
): Promise<PlaylistChange & Pick<PlaylistRow, 'name' | 'type' | 'release_status'>> => {
  const projectId = body.ProjectId ?? null
  const type = body.Type ?? 'manual'
  const defaultStatus = await defaultStatusIn(tx, scope, projectId)
  checkMayWrite(principal, projectId)
  const releaseStatus = body.ReleaseStatus ?? defaultStatus
  // Anyone who may create a playlist may create it less public than by default.
  if (releaseStatus === 'published' && defaultStatus !== 'published') checkMayPublish(principal, projectId)
  checkDescription('', body.Description ?? '')
  const fileIds = idsOf(body.Elements ?? [])
  if (type === 'automatic') {
    if (fileIds.length > 0) throw invalidField('Elements', 'elements_of_automatic_playlist')
    if (body.Rules == null) throw invalidField('Rules', 'rules_required')
  } else {
    if (body.Rules != null) throw invalidField('Rules', 'rules_of_manual_playlist')
    await checkElements(tx, scope, projectId, body.Elements ?? [])
  }
  return {
    external_id: body.ExternalId ?? null,
    name: body.Name.trim(),
    type,
    project_id: projectId,
    release_status: releaseStatus,
    description: body.Description ?? '',
    element_file_ids: fileIds,
    ...(body.Rules == null ? {} : { rules: JSON.stringify(applyRules(null, body.Rules)) }),
  }
}

/**
 * Converts a request body to a row change: absent = unchanged, null = cleared. Accepts a record that was read
 * and sent back unchanged.
 */
export const toChange = async (
  tx: Tx,
  { principal, scope }: Writer,
  before: PlaylistRow,
  body: PlaylistUpdate,
): Promise<PlaylistChange> => {
  if (body.Type !== undefined && body.Type !== before.type)
    throw invalidField('Type', 'type_not_changeable', { type: before.type })
  checkDescription(before.description, body.Description ?? before.description)
  const projectId = body.ProjectId === undefined ? before.project_id : body.ProjectId
  if (projectId !== before.project_id) {
    await checkNamedProject(tx, scope, projectId)
    checkMayWrite(principal, projectId)
  }
  const releaseStatus =
    body.ReleaseStatus === undefined
      ? before.release_status
      : (body.ReleaseStatus ?? (await defaultStatusIn(tx, scope, projectId)))
  checkMayRelease(principal, before, { project_id: projectId, release_status: releaseStatus })
  return {
    ...(body.ExternalId === undefined ? {} : { external_id: body.ExternalId }),
    ...(body.Name === undefined ? {} : { name: body.Name.trim() }),
    ...(body.Description === undefined ? {} : { description: body.Description ?? '' }),
    ...(projectId === before.project_id ? {} : { project_id: projectId }),
    ...(releaseStatus === before.release_status ? {} : { release_status: releaseStatus }),
    ...(before.type === 'manual'
      ? await manualChange(tx, scope, before, projectId, body)
      : await automaticChange(tx, before, body)),
  }
}

const manualChange = async (
  tx: Tx,
  scope: PlaylistScope,
  before: PlaylistRow,
  projectId: number | null,
  body: PlaylistUpdate,
): Promise<PlaylistChange> => {
  if (body.Rules != null) throw invalidField('Rules', 'rules_of_manual_playlist')
  if (body.Elements !== undefined) {
    const fileIds = idsOf(body.Elements ?? [])
    await checkElements(tx, scope, projectId, body.Elements ?? [])
    // A record omits deleted files; sending it back unchanged must not remove them.
    const isSame = fileIds.join() === (await presentFileIds(tx, before)).join()
    return isSame ? {} : { element_file_ids: fileIds }
  }
  if (projectId !== null && projectId !== before.project_id) {
    const fileIds = await presentFileIds(tx, before)
    const known = await existingFiles(tx, scope, projectId, fileIds)
    const outside = fileIds.find((id) => !known.has(id))
    if (outside !== undefined)
      throw invalidField('ProjectId', 'element_of_other_project', { projectId, fileId: outside })
  }
  return {}
}

const presentFileIds = async (tx: Tx, playlist: PlaylistRow): Promise<number[]> =>
  (await readElements(tx, playlist, 'makers')).map(({ fileId }) => fileId)

const automaticChange = async (
  tx: Tx,
  before: PlaylistRow,
  body: PlaylistUpdate,
): Promise<PlaylistChange> => {
  if (body.Elements != null) {
    const present = await presentFileIds(tx, before)
    if (idsOf(body.Elements).join() !== present.join())
      throw invalidField('Elements', 'elements_of_automatic_playlist')
  }
  if (body.Rules === null) throw invalidField('Rules', 'rules_not_removable')
  return body.Rules === undefined ? {} : { rules: JSON.stringify(applyRules(rulesOf(before), body.Rules)) }
}
