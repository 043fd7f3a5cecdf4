import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { externalIdText } from '../../projects/external-id.ts'
import { createClip } from '../change/create-clip.ts'
import { metadataWriteSchema } from '../record/file-metadata.ts'

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })

/** One week, longer than any video. */
const maxSeconds = 604_800
const seconds = (description: string) => Type.Number({ minimum: 0, maximum: maxSeconds, description })

const createClipSchema = Type.Object(
  {
    StartTime: seconds('Start of the clip, in seconds from the start of the file.'),
    EndTime: seconds('End of the clip, in seconds from the start of the file.'),
    FileName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'Name of the new file. Default: the name of the original.',
      }),
    ),
    ExternalId: Type.Optional(externalIdText('the project')),
    Metadata: Type.Optional(metadataWriteSchema),
  },
  {
    description: 'The part of a file to save as a new file.',
    examples: [{ StartTime: 12.5, EndTime: 42, Metadata: { Title: 'The mayor in half a minute' } }],
  },
)

export const registerClipRoutes = (
  app: HttpServer,
  dependencies: { readonly database: Database; readonly jobs: Jobs; readonly publicUrl: string },
): void => {
  const { database, publicUrl } = dependencies
  app.post(
    '/projects/:projectId/files/:fileId/clips',
    {
      config: { permission: 'files:upload' },
      schema: {
        operationId: 'createClip',
        tags: [tags.files],
        summary: 'Create a clip',
        description:
          'Saves a part of a file as a new file in the same project. The source is cut without re-encoding: the clip starts at the last key frame at or before `StartTime` and ends within a frame or two of `EndTime`. The response follows at once, and a worker cuts the source. Then the clip is processed like an upload, with the same events. The clip copies the metadata of the file, except its publication window. Its `ReleaseStatus` is the default of the project, or `unpublished` if viewers cannot see the file. Metadata in the request takes precedence. It does not copy captions and pictures. Replacing or deleting the file does not affect the clip. Returns 409 if the file is not playable or its source is no longer stored. Requires files:upload and files:read.',
        params: fileParams,
        body: createClipSchema,
        response: responses(
          { status: 201, schema: schemaRef('File'), description: 'The new file.' },
          404,
          409,
          413,
        ),
      },
    },
    async (request, reply) => {
      const { projectId, fileId } = request.params
      const { principal } = request
      if (!principal.can('files:read', projectId))
        throw new Problem('permission_missing', { permission: 'files:read' })
      const body = request.body
      const file = await database.transaction((tx) =>
        createClip(
          tx,
          dependencies,
          principal,
          { accountId: principal.accountId, projectId, fileId },
          {
            startSeconds: body.StartTime,
            endSeconds: body.EndTime,
            fileName: body.FileName,
            externalId: body.ExternalId ?? null,
            metadata: body.Metadata ?? {},
          },
        ),
      )
      reply.code(201).header('Location', `${publicUrl}/v3/projects/${projectId}/files/${file.id}`)
      return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
    },
  )
}
