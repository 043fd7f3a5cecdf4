import { isDeepStrictEqual } from 'node:util'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../../accounts/audit/record-act.ts'
import { jsonBodyOf } from '../../../platform/http/requests/json-body.ts'
import { acceptAttachedFiles, readAttachedFile } from '../../../platform/http/attached-file.ts'
import { checkIfMatch, etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema, idSchema } from '../../../platform/http/requests/schemas.ts'
import { binarySchema, jsonOrStreamedBody } from '../../../platform/http/requests/streamed-body.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { lockProject } from '../../projects/project-locks.ts'
import { findProject } from '../../projects/project-store.ts'
import { watermarkLimit } from './watermark-picture.ts'
import { changeWatermark, renderWatermark, watermarkWriteSchema } from './watermark-record.ts'
import { deleteWatermark, findWatermark, putWatermark, type WatermarkRow } from './watermark-store.ts'

const rawTypes = /^(?:image\/.+|application\/octet-stream\s*(?:;.*)?)$/i
const url = '/projects/:projectId/watermark'
const projectParams = Type.Object({ projectId: idSchema })
const rawPicture = binarySchema(watermarkLimit.maxBytes, 'The bytes of a PNG.')

const projectIdOf = ({ params }: { readonly params: Static<typeof projectParams> }): number =>
  params.projectId

const watermarkNotFound = (projectId: number): Problem => new Problem('watermark_not_found', { projectId })

/** Returns the ETag of a watermark, or '' when there is none, which `If-Match` never matches. */
const etagOfWatermark = (row: WatermarkRow | undefined): string =>
  row === undefined ? '' : etagOf(renderWatermark(row))

/** Returns the audited fields, with an ETag in place of the picture, which shows whether it changed. */
const auditedWatermark = (row: WatermarkRow): object => ({
  ...(JSON.parse(renderWatermark(row)) as object),
  Picture: etagOf(row.picture),
})

export const registerWatermarkRoutes = async (
  app: HttpServer,
  { database }: { readonly database: Database },
): Promise<void> => {
  await acceptAttachedFiles(app, rawTypes)

  app.get(
    url,
    {
      config: { permission: 'projects:read' },
      schema: {
        operationId: 'getWatermark',
        tags: [tags.projects],
        summary: 'Get the watermark',
        description:
          'Returns the picture, position, size and opacity of the watermark. Returns 404 if the project has none.',
        params: projectParams,
        response: responses(
          { status: 200, schema: schemaRef('Watermark'), description: 'The watermark.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const projectId = projectIdOf(request)
      await findProject(database.kysely, request.principal.accountId, projectId)
      const row = await findWatermark(database.kysely, projectId)
      if (row === undefined) throw watermarkNotFound(projectId)
      return sendJson(request, reply, renderWatermark(row), etagOfWatermark(row))
    },
  )

  app.put(
    url,
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'updateWatermark',
        tags: [tags.projects],
        summary: 'Set the watermark',
        description: `Sets the watermark that is burned into all new encodes of the project. To add it to existing files, call \`retry\` with \`force=true\`. In a project with a watermark, every source is encoded. Send any of the fields as JSON, or only the picture as a raw body (image/png) or multipart/form-data (part \`file\`): a PNG of at most ${watermarkLimit.maxText} and one million pixels. Zoetrope detects the format from the bytes.`,
        params: projectParams,
        body: jsonOrStreamedBody(watermarkWriteSchema, {
          'image/png': rawPicture,
          'application/octet-stream': rawPicture,
          'multipart/form-data': Type.Object({ file: rawPicture }),
        }),
        response: responses(
          { status: 200, schema: schemaRef('Watermark'), description: 'The watermark.' },
          404,
          412,
          413,
        ),
      },
    },
    async (request, reply) => {
      const projectId = projectIdOf(request)
      const { accountId } = request.principal
      await findProject(database.kysely, accountId, projectId)
      const attached = await readAttachedFile(request, reply, watermarkLimit)
      const write = attached === null ? (jsonBodyOf(request) ?? {}) : {}
      const row = await database.transaction(async (tx) => {
        await lockProject(tx, accountId, projectId)
        const before = await findWatermark(tx, projectId)
        checkIfMatch(request, etagOfWatermark(before))
        const settings = changeWatermark(before, write, attached?.bytes ?? null)
        const after = { ...settings, project_id: projectId, account_id: accountId }
        const isUnchanged = before !== undefined && isDeepStrictEqual({ ...before, ...after }, before)
        if (isUnchanged) return before
        const stored = await putWatermark(tx, after)
        await recordAct(tx, actorOf(request), {
          action: 'watermark.updated',
          subject: 'Project',
          subjectId: projectId,
          before: before === undefined ? null : auditedWatermark(before),
          after: auditedWatermark(stored),
        })
        return stored
      })
      return sendJson(request, reply, renderWatermark(row), etagOfWatermark(row))
    },
  )

  app.delete(
    url,
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'deleteWatermark',
        tags: [tags.projects],
        summary: 'Delete the watermark',
        description:
          'Deletes the watermark for good. Files that were encoded with it keep it until they are encoded again.',
        params: projectParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The project of the deleted watermark.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const projectId = projectIdOf(request)
      await database.transaction(async (tx) => {
        await lockProject(tx, request.principal.accountId, projectId)
        const before = await findWatermark(tx, projectId)
        if (before === undefined) throw watermarkNotFound(projectId)
        checkIfMatch(request, etagOfWatermark(before))
        await deleteWatermark(tx, projectId)
        await recordAct(tx, actorOf(request), {
          action: 'watermark.deleted',
          subject: 'Project',
          subjectId: projectId,
          before: auditedWatermark(before),
        })
      })
      return reply.send({ Id: projectId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
