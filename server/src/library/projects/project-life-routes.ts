import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../accounts/audit/record-act.ts'
import { checkIfMatch, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { idSchema, purgeTimeOf, restorableSchema } from '../../platform/http/requests/schemas.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { Problem } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { claimProjectExternalId } from './external-id.ts'
import { countRestoring } from './project-counts.ts'
import { projectFilesJob } from './project-jobs.ts'
import { etagOfProject, projectRecord, renderProject } from './project-record.ts'
import { lockAnyProject, lockProject } from './project-locks.ts'
import { changeProject } from './project-store.ts'

const projectParams = Type.Object({ projectId: idSchema })

/**
 * Registers deletion and restoration of projects. A job updates their files, because a project has any number
 * of them.
 */
export const registerProjectLifeRoutes = (
  app: HttpServer,
  {
    database,
    jobs,
    publicUrl,
    retentionDays,
  }: {
    readonly database: Database
    readonly jobs: Jobs
    readonly publicUrl: string
    readonly retentionDays: number
  },
): void => {
  app.delete(
    '/projects/:projectId',
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'deleteProject',
        tags: [tags.projects],
        summary: 'Delete a project',
        description:
          'Deletes a project. If it has files, send `cascade=true` to delete them too; otherwise the request fails. All files return 404 at once, and Zoetrope sends `file.deleted` for each of them within minutes. The same applies to its playlists and `playlist.deleted`. Until `PurgeAt` you can restore the project with these files and playlists.',
        params: projectParams,
        querystring: Type.Object({
          cascade: Type.Optional(
            Type.Boolean({ description: 'Whether to delete the files too. Default false.' }),
          ),
        }),
        response: responses(
          { status: 200, schema: restorableSchema, description: 'The deleted record.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const { cascade = false } = request.query
      const { accountId } = request.principal
      const deletedAt = new Date()
      const purgeAt = purgeTimeOf(deletedAt, retentionDays)
      const row = await database.transaction(async (tx) => {
        const before = await lockProject(tx, accountId, projectId)
        checkIfMatch(request, etagOfProject(before, publicUrl))
        if (before.is_live) throw new Problem('project_live', { projectId })
        const count = before.file_count + (before.is_restoring ? await countRestoring(tx, projectId) : 0)
        if (count > 0 && !cascade) throw new Problem('project_has_files', { projectId, count })
        await jobs.enqueue(tx, projectFilesJob, { accountId, projectId, changedAtMs: deletedAt.getTime() })
        await recordAct(tx, actorOf(request), {
          action: 'project.deleted',
          subject: 'Project',
          subjectId: projectId,
          before: projectRecord(before, publicUrl),
        })
        const change = { deleted_at: deletedAt, purge_at: purgeAt, is_restoring: false }
        return changeProject(tx, publicUrl, before, change, 'project.deleted')
      })
      return reply.send({
        Id: row.id,
        IsEnabled: false,
        DeletedAt: toTimestamp(deletedAt),
        PurgeAt: toTimestamp(purgeAt),
      })
    },
  )

  app.post(
    '/projects/:projectId/restore',
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'restoreProject',
        tags: [tags.projects],
        summary: 'Restore a deleted project',
        description:
          'Restores a deleted project, and the files and playlists that were deleted with it, until `PurgeAt`. What was deleted earlier stays deleted. The project is restored at once and sends `project.updated`. Its files follow in the background while `IsRestoring` is true. Each of them sends `file.restored`, and each playlist `playlist.restored`; after the last one, `project.restored` is sent.',
        params: projectParams,
        response: responses(
          { status: 200, schema: schemaRef('Project'), description: 'The restored project.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const { accountId } = request.principal
      const row = await database.transaction(async (tx) => {
        const before = await lockAnyProject(tx, accountId, projectId)
        if (before.deleted_at === null) throw new Problem('project_not_deleted', { projectId })
        await claimProjectExternalId(tx, request.principal, projectId, before.external_id)
        await jobs.enqueue(tx, projectFilesJob, { accountId, projectId, changedAtMs: Date.now() })
        await recordAct(tx, actorOf(request), {
          action: 'project.restored',
          subject: 'Project',
          subjectId: projectId,
        })
        const change = { deleted_at: null, purge_at: null, is_restoring: true }
        return changeProject(tx, publicUrl, before, change, 'project.updated')
      })
      return sendJson(request, reply, renderProject(row, publicUrl), etagOfProject(row, publicUrl))
    },
  )
}
