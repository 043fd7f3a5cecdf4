import { Type, type Static } from 'typebox'
import { isDeepStrictEqual } from 'node:util'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../accounts/audit/record-act.ts'
import { checkIfMatch, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { schemaValues } from '../../platform/base/schema-values.ts'
import { toAsciiDomains } from './settings/allowed-domains.ts'
import { changeEncoderSettings } from './settings/encoder-settings.ts'
import { claimProjectExternalId } from './external-id.ts'
import { checkMetadataFields } from './settings/metadata-fields.ts'
import { playerThemeChange } from './settings/player-theme.ts'
import { listProjects, parseProjectFilter, projectFilterQuery, projectOrders } from './list-projects.ts'
import {
  encoderSettingsOf,
  etagOfProject,
  projectNameSchema,
  projectWriteFields,
  projectRecord,
  renderProject,
  type ProjectRow,
} from './project-record.ts'
import { lockProject } from './project-locks.ts'
import {
  changeProject,
  checkProjectSize,
  findProject,
  insertProject,
  type ProjectChange,
} from './project-store.ts'

export interface ProjectRouteDependencies {
  readonly database: Database
  readonly publicUrl: string
  /** Storage quota of new projects; 0 = none. */
  readonly defaultQuotaBytes: number
}

const projectParams = Type.Object({ projectId: idSchema })
const createSchema = Type.Object(
  { Name: projectNameSchema, ...projectWriteFields },
  {
    description: 'A new project. Only the name is required.',
    examples: [
      { Name: 'Spring campaign', DefaultReleaseStatus: 'unpublished', AllowedDomains: ['www.example.com'] },
    ],
  },
)
const updateSchema = Type.Object(
  { Name: Type.Optional(projectNameSchema), ...projectWriteFields },
  {
    description: 'A partial update. Absent fields keep their values; null clears them.',
    examples: [{ Description: 'Films for the shops', EncoderSettings: { EncodingPriority: 80 } }],
  },
)

/**
 * Absent fields stay unchanged and null clears, also inside the encoder settings. Unknown fields are ignored.
 */
const toChange = async (sent: Static<typeof updateSchema>, before?: ProjectRow): Promise<ProjectChange> => {
  const { Clean } = await schemaValues()
  const body = Clean(updateSchema, sent) as Static<typeof updateSchema>
  const settings = changeEncoderSettings(
    before?.encoder_settings ?? {},
    body.EncoderSettings === undefined ? {} : body.EncoderSettings,
  )
  // Sending back a record unchanged must not store its default values explicitly.
  const hasSameSettings =
    before !== undefined &&
    isDeepStrictEqual(encoderSettingsOf({ encoder_settings: settings }), encoderSettingsOf(before))
  checkMetadataFields(body.MetadataFields ?? [])
  return {
    ...(body.ExternalId === undefined ? {} : { external_id: body.ExternalId }),
    ...(body.Name === undefined ? {} : { name: body.Name.trim() }),
    ...(body.Description === undefined ? {} : { description: body.Description ?? '' }),
    ...(body.DefaultReleaseStatus === undefined
      ? {}
      : { default_release_status: body.DefaultReleaseStatus ?? 'unpublished' }),
    ...(body.TokenSecurity === undefined ? {} : { token_security: body.TokenSecurity ?? false }),
    ...(body.AllowedDomains === undefined
      ? {}
      : { allowed_domains: JSON.stringify(toAsciiDomains(body.AllowedDomains ?? [])) }),
    ...(body.AnalyticsDimensions === undefined
      ? {}
      : { analytics_dimensions: JSON.stringify([...new Set(body.AnalyticsDimensions ?? [])]) }),
    ...playerThemeChange(body.PlayerTheme),
    ...(body.EncoderSettings === undefined || hasSameSettings
      ? {}
      : { encoder_settings: JSON.stringify(settings) }),
    ...(body.MetadataFields === undefined
      ? {}
      : { metadata_fields: JSON.stringify(body.MetadataFields ?? []) }),
    ...(body.StorageQuotaBytes === undefined ? {} : { storage_quota_bytes: body.StorageQuotaBytes }),
  }
}

export const registerProjectRoutes = (app: HttpServer, dependencies: ProjectRouteDependencies): void => {
  const { database, publicUrl, defaultQuotaBytes } = dependencies

  app.get(
    '/projects',
    {
      config: { permission: 'projects:read' },
      schema: {
        operationId: 'listProjects',
        tags: [tags.projects],
        summary: 'List projects',
        description:
          'Returns the projects that the key may see, newest first. Filters combine: a project must match all of them. `TotalCount` is the exact number of matches.',
        querystring: Type.Object({ ...listQuery(projectOrders), ...projectFilterQuery }),
        response: responses({
          status: 200,
          schema: listSchema('Projects', schemaRef('Project')),
          description: 'One page of projects.',
        }),
      },
    },
    async (request, reply) => {
      const page = parsePage(request.query, projectOrders)
      const filter = parseProjectFilter(request.query)
      const { accountId, projectIds } = request.principal
      const found = await listProjects(database.kysely, accountId, projectIds, filter, page)
      const { body, etag } = renderFreshList(
        'Projects',
        found.rows.map((row) => projectRecord(row, publicUrl)),
        found,
        page,
      )
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    '/projects',
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'createProject',
        tags: [tags.projects],
        summary: 'Create a project',
        description: 'Creates a folder for files. Files inherit its settings.',
        body: createSchema,
        response: responses(
          { status: 201, schema: schemaRef('Project'), description: 'The new project.' },
          409,
        ),
      },
    },
    async (request, reply) => {
      const body = request.body
      if (request.principal.projectIds !== null) throw new Problem('key_restricted')
      const row = await database.transaction(async (tx) => {
        const change = {
          ...(defaultQuotaBytes === 0 ? {} : { storage_quota_bytes: defaultQuotaBytes }),
          ...(await toChange(body)),
          name: body.Name.trim(),
        }
        await claimProjectExternalId(tx, request.principal, null, change.external_id)
        const made = await insertProject(tx, publicUrl, request.principal.accountId, change)
        checkProjectSize(publicUrl, null, made)
        await recordAct(tx, actorOf(request), {
          action: 'project.created',
          subject: 'Project',
          subjectId: made.id,
          after: projectRecord(made, publicUrl),
        })
        return made
      })
      reply.code(201).header('Location', `${publicUrl}/v3/projects/${row.id}`)
      return sendJson(request, reply, renderProject(row, publicUrl), etagOfProject(row, publicUrl))
    },
  )

  app.get(
    '/projects/:projectId',
    {
      config: { permission: 'projects:read' },
      schema: {
        operationId: 'getProject',
        tags: [tags.projects],
        summary: 'Get a project',
        description: 'Returns the settings and exact counters of a project.',
        params: projectParams,
        response: responses({ status: 200, schema: schemaRef('Project'), description: 'The project.' }, 404),
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const row = await findProject(database.kysely, request.principal.accountId, projectId)
      return sendJson(request, reply, renderProject(row, publicUrl), etagOfProject(row, publicUrl))
    },
  )

  app.put(
    '/projects/:projectId',
    {
      config: { permission: 'projects:write' },
      schema: {
        operationId: 'updateProject',
        tags: [tags.projects],
        summary: 'Update a project',
        description: 'Changes only the fields that you send; `null` clears a field.',
        params: projectParams,
        body: updateSchema,
        response: responses(
          { status: 200, schema: schemaRef('Project'), description: 'The whole project.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { projectId } = request.params
      const row = await database.transaction(async (tx) => {
        const before = await lockProject(tx, request.principal.accountId, projectId)
        checkIfMatch(request, etagOfProject(before, publicUrl))
        const change = await toChange(request.body, before)
        await claimProjectExternalId(tx, request.principal, projectId, change.external_id)
        const after = await changeProject(tx, publicUrl, before, change, 'project.updated')
        checkProjectSize(publicUrl, before, after)
        await recordAct(tx, actorOf(request), {
          action: 'project.updated',
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
}
