import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../../accounts/audit/record-act.ts'
import { acceptAttachedFiles, readAttachedFile } from '../../../platform/http/attached-file.ts'
import { checkIfMatch, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema, idSchema } from '../../../platform/http/requests/schemas.ts'
import { jsonBodyOf } from '../../../platform/http/requests/json-body.ts'
import {
  binarySchema,
  jsonOrStreamedBody,
  type JsonOrBytes,
} from '../../../platform/http/requests/streamed-body.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import {
  etagOfProject,
  projectRecord,
  renderProject,
  type ProjectRow,
} from '../../projects/project-record.ts'
import { lockProject } from '../../projects/project-locks.ts'
import { changeProject, findProject } from '../../projects/project-store.ts'
import { drawLogo, logoLimit, readLogo, type DrawnLogo } from './logo-picture.ts'
import { changeLogo, decodeLogo, logoWriteSchema, readLogoWrite, type LogoWrite } from './logo-record.ts'
import { deleteLogoPicture, putLogoPicture } from './logo-store.ts'

const rawTypes = /^(?:image\/.+|application\/octet-stream\s*(?:;.*)?)$/i

const url = '/projects/:projectId/logo'
const projectParams = Type.Object({ projectId: idSchema })
const bytesText = 'The bytes of a PNG, JPEG or WebP.'
const rawPicture = binarySchema(logoLimit.maxBytes, bytesText)

const projectIdOf = ({ params }: { readonly params: Static<typeof projectParams> }): number =>
  params.projectId

/**
 * Registers the routes that set and delete the logo. Clients read it as `PlayerTheme.Logo` of the project.
 */
export const registerLogoRoutes = async (
  app: HttpServer,
  {
    database,
    jobs,
    publicUrl,
  }: { readonly database: Database; readonly jobs: Jobs; readonly publicUrl: string },
): Promise<void> => {
  await acceptAttachedFiles(app, rawTypes)

  const readWrite = async (
    request: FastifyRequest & { readonly body: JsonOrBytes<LogoWrite> },
    reply: FastifyReply,
    project: ProjectRow,
  ): Promise<{ readonly write: LogoWrite; readonly drawn: DrawnLogo | null }> => {
    const attached = await readAttachedFile(request, reply, logoLimit)
    const write = attached === null ? readLogoWrite(jsonBodyOf(request) ?? {}) : {}
    const sent = attached?.bytes ?? (write.Picture === undefined ? null : decodeLogo(write.Picture))
    if (sent === null) return { write, drawn: null }
    const picture = readLogo(sent)
    const address = { accountId: project.account_id, projectId: project.id }
    return { write, drawn: await drawLogo({ database, jobs }, address, picture) }
  }

  app.put(
    url,
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'updateLogo',
        tags: [tags.projects],
        summary: 'Set the player logo',
        description: `Sets the logo in a corner of all players of the project, including its live stream and its own playlists. The project shows it as \`PlayerTheme.Logo\`. Send any of the fields as JSON, or only the picture as a raw body (image/png, image/jpeg, image/webp) or multipart/form-data (part \`file\`), at most ${logoLimit.maxText}. Zoetrope detects the format from the bytes. A worker re-encodes the picture without metadata, at most 640 × 320 pixels; if no worker is available, the response is 503.`,
        params: projectParams,
        body: jsonOrStreamedBody(logoWriteSchema, {
          'image/png': rawPicture,
          'image/jpeg': rawPicture,
          'image/webp': rawPicture,
          'application/octet-stream': rawPicture,
          'multipart/form-data': Type.Object({ file: rawPicture }),
        }),
        response: responses(
          { status: 200, schema: schemaRef('Project'), description: 'The whole project.' },
          404,
          412,
          413,
        ),
      },
    },
    async (request, reply) => {
      const projectId = projectIdOf(request)
      const { accountId } = request.principal
      const known = await findProject(database.kysely, accountId, projectId)
      checkIfMatch(request, etagOfProject(known, publicUrl))
      const { write, drawn } = await readWrite(request, reply, known)
      const row = await database.transaction(async (tx) => {
        const before = await lockProject(tx, accountId, projectId)
        checkIfMatch(request, etagOfProject(before, publicUrl))
        const logo = changeLogo(projectId, before.player_logo, write, drawn)
        if (drawn !== null) await putLogoPicture(tx, before, { name: logo.name, picture: drawn.bytes })
        const change = { player_logo: JSON.stringify(logo) }
        const after = await changeProject(tx, publicUrl, before, change, 'project.updated')
        if (after !== before)
          await recordAct(tx, actorOf(request), {
            action: 'logo.updated',
            subject: 'Project',
            subjectId: projectId,
            before: projectRecord(before, publicUrl),
            after: projectRecord(after, publicUrl),
          })
        return after
      })
      return sendJson(request, reply, renderProject(row, publicUrl), etagOfProject(row, publicUrl))
    },
  )

  app.delete(
    url,
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'deleteLogo',
        tags: [tags.projects],
        summary: 'Delete the player logo',
        description: 'Deletes the logo for good. Open pages show it until they are reloaded.',
        params: projectParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The project of the deleted logo.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const projectId = projectIdOf(request)
      await database.transaction(async (tx) => {
        const before = await lockProject(tx, request.principal.accountId, projectId)
        if (before.player_logo === null) throw new Problem('logo_not_found', { projectId })
        checkIfMatch(request, etagOfProject(before, publicUrl))
        await deleteLogoPicture(tx, before)
        const after = await changeProject(tx, publicUrl, before, { player_logo: null }, 'project.updated')
        await recordAct(tx, actorOf(request), {
          action: 'logo.deleted',
          subject: 'Project',
          subjectId: projectId,
          before: projectRecord(before, publicUrl),
          after: projectRecord(after, publicUrl),
        })
      })
      return reply.send({ Id: projectId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
