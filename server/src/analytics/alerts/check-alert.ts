import type { Static } from 'typebox'
import type { Queryable } from '../../platform/db/database.ts'
import { invalidField } from '../../platform/base/problem.ts'
import { checkNamedProject } from '../../library/projects/check-named-project.ts'
import { defaults, type AlertRow, type alertUpdateSchema } from './alert-record.ts'
import type { AlertChange, AlertScope } from './alert-store.ts'

type Body = Static<typeof alertUpdateSchema>
type Place = Pick<AlertRow, 'project_id' | 'file_id'>

const nowhere: Place = { project_id: null, file_id: null }

/** Throws the same 'invalid' for unknown files, those of other accounts and those outside the key. */
const checkFile = async (
  queryable: Queryable,
  { accountId, projectIds }: AlertScope,
  fileId: number,
  projectId: number | null,
): Promise<Place> => {
  const file = await queryable
    .selectFrom('media_files')
    .select('project_id')
    .where('account_id', '=', accountId)
    .where('id', '=', fileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (file === undefined || projectIds?.includes(file.project_id) === false)
    throw invalidField('FileId', 'unknown_file', { fileId })
  if (projectId !== null && file.project_id !== projectId)
    throw invalidField('FileId', 'unknown_file_in_project', { fileId, projectId })
  return { project_id: file.project_id, file_id: fileId }
}

/** Returns the project and file that the body names, or nothing if the body does not change them. */
const placeOf = async (
  queryable: Queryable,
  scope: AlertScope,
  body: Body,
  before: Place | null,
): Promise<Partial<Place>> => {
  const known = before ?? nowhere
  const projectId = body.ProjectId === undefined ? known.project_id : body.ProjectId
  const fileId = body.FileId === undefined ? known.file_id : body.FileId
  if (before !== null && projectId === before.project_id && fileId === before.file_id) return {}
  if (fileId !== null) return checkFile(queryable, scope, fileId, projectId)
  await checkNamedProject(queryable, scope, projectId)
  return { project_id: projectId, file_id: null }
}

/** Absent fields stay unchanged. Throws 'invalid' with the field. */
export const alertChange = async (
  queryable: Queryable,
  scope: AlertScope,
  body: Body,
  before: Place | null,
): Promise<AlertChange> => ({
  ...(await placeOf(queryable, scope, body, before)),
  ...(body.Label === undefined ? {} : { label: body.Label ?? defaults.Label }),
  ...(body.Metric === undefined ? {} : { metric: body.Metric }),
  ...(body.Operator === undefined ? {} : { operator: body.Operator }),
  ...(body.Threshold === undefined ? {} : { threshold: body.Threshold }),
  ...(body.WindowMinutes === undefined
    ? {}
    : { window_minutes: body.WindowMinutes ?? defaults.WindowMinutes }),
  ...(body.MinimumViewers === undefined
    ? {}
    : { minimum_viewers: body.MinimumViewers ?? defaults.MinimumViewers }),
  ...(body.IsEnabled === undefined ? {} : { is_enabled: body.IsEnabled ?? defaults.IsEnabled }),
})
