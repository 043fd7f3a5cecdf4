import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { described, idSchema, restorableSchema } from '../../../platform/http/requests/schemas.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { TouchPlaylists } from '../change/touch-playlists.ts'
import { checkUnchanged } from './check-unchanged.ts'
import { moveFile } from '../change/move-file.ts'
import { deleteFile } from '../change/delete-file.ts'
import { findMediaFile } from '../record/media-file-store.ts'
import { restoreFile } from '../change/restore-file.ts'
import { retryFile } from '../change/retry-file.ts'

export interface FileLifeDependencies {
  readonly database: Database
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly publicUrl: string
  readonly retentionDays: number
  readonly uploadExpiryMs: number
  readonly touchPlaylists: TouchPlaylists
}

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })

const moveFileSchema = Type.Object(
  { ProjectId: described(idSchema, 'Project that the file moves to.') },
  { description: 'Where the file moves to.', examples: [{ ProjectId: 7 }] },
)

export const registerFileLifeRoutes = (app: HttpServer, dependencies: FileLifeDependencies): void => {
  const { database } = dependencies

  app.delete(
    '/projects/:projectId/files/:fileId',
    {
      config: { permission: 'files:delete' },
      schema: {
        operationId: 'deleteFile',
        tags: [tags.files],
        summary: 'Delete a file',
        description:
          'Deletes a file. It leaves all lists and stops playing at once. You can restore it until `PurgeAt`; then its media is deleted for good.',
        params: fileParams,
        response: responses(
          { status: 200, schema: restorableSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const { accountId } = request.principal
      const file = await database.transaction(async (tx) => {
        await findMediaFile(tx, { accountId, fileId, projectId })
        return deleteFile(
          tx,
          dependencies,
          { accountId, fileId, projectId },
          { check: (before) => checkUnchanged(request, before) },
        )
      })
      return reply.send({
        Id: file.id,
        IsEnabled: false,
        DeletedAt: toTimestampOrNull(file.deleted_at),
        PurgeAt: toTimestampOrNull(file.purge_at),
      })
    },
  )

  app.post(
    '/projects/:projectId/files/:fileId/restore',
    {
      config: { permission: 'files:delete' },
      schema: {
        operationId: 'restoreFile',
        tags: [tags.files],
        summary: 'Restore a deleted file',
        description:
          'Restores a deleted file until `PurgeAt`. It plays again, and interrupted processing continues. Sends `file.restored`. Returns 409 if the file is not deleted, or if its project is: then restore the project. The storage quota does not apply.',
        params: fileParams,
        response: responses(
          { status: 200, schema: schemaRef('File'), description: 'The restored file.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const { accountId } = request.principal
      const file = await database.transaction((tx) =>
        restoreFile(tx, dependencies, { accountId, fileId, projectId }),
      )
      return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
    },
  )

  app.post(
    '/projects/:projectId/files/:fileId/move',
    {
      config: { permission: 'files:delete' },
      schema: {
        operationId: 'moveFile',
        tags: [tags.files],
        summary: 'Move a file to another project',
        description:
          'Moves a file to another project of the account. It keeps its Id, metadata, pictures, captions and playout URLs; the old API path returns 404. It leaves the playlists of the old project, and the settings of the new project apply, such as `TokenSecurity`. Sends `file.moved` for both projects. Returns 409 while the file is being uploaded or processed, or if the new project already uses its `ExternalId`. Returns 413 if the quota there is used up. Requires files:upload in the new project, and files:publish if the file is published.',
        params: fileParams,
        body: moveFileSchema,
        response: responses(
          { status: 200, schema: schemaRef('File'), description: 'The file in its new project.' },
          404,
          409,
          412,
          413,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const { principal } = request
      const file = await database.transaction((tx) =>
        moveFile(tx, dependencies, {
          principal,
          key: { accountId: principal.accountId, fileId, projectId },
          targetId: request.body.ProjectId,
          check: (before) => checkUnchanged(request, before),
        }),
      )
      return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
    },
  )

  app.post(
    '/projects/:projectId/files/:fileId/retry',
    {
      config: { permission: 'files:write-own' },
      schema: {
        operationId: 'retryFile',
        tags: [tags.files],
        summary: 'Process a file again',
        description:
          'Processes the stored source of a `failed` or `degraded` file again, with the current encoder settings of the project. With `force=true` it also processes a `finished` file. The current renditions keep playing until all new ones are ready; meanwhile the file is `playable`. Returns 409 in other states, or if the source is no longer stored. Requires files:write for files that other users created.',
        params: fileParams,
        querystring: Type.Object({
          force: Type.Optional(
            Type.Boolean({ description: 'Whether to process a `finished` file too. Default false.' }),
          ),
        }),
        response: responses(
          { status: 200, schema: schemaRef('File'), description: 'The file, whose processing has started.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const { force = false } = request.query
      const { principal } = request
      const file = await database.transaction((tx) =>
        retryFile(tx, dependencies, {
          principal,
          key: { accountId: principal.accountId, fileId, projectId },
          isForced: force,
          check: (before) => checkUnchanged(request, before),
        }),
      )
      return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
    },
  )
}
