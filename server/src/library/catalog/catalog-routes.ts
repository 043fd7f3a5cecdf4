import { Type, type TSchema } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import { actorOf, recordAct } from '../../accounts/audit/record-act.ts'
import { checkIfMatch, recordEtag, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { deletedSchema, idSchema } from '../../platform/http/requests/schemas.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { Problem } from '../../platform/base/problem.ts'
import { schemaValues } from '../../platform/base/schema-values.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { relabelFilesJob } from './catalog-jobs.ts'
import { catalogVocabularies, type CatalogVocabulary } from './catalog-kinds.ts'
import {
  catalogEntrySchema,
  catalogRecord,
  entryCreateSchema,
  entryUpdateSchema,
  type CatalogEntryRow,
} from './catalog-record.ts'
import { searchableListQuery } from './catalog-search.ts'
import {
  changeEntry,
  deleteEntry,
  entryOrders,
  findEntry,
  insertEntry,
  listEntries,
  lockEntry,
  type CatalogScope,
} from './catalog-store.ts'
import { iabCategorySchema, registerIabRoutes } from './iab-routes.ts'

export interface CatalogRouteDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly publicUrl: string
}

export const catalogSchemas: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(
    catalogVocabularies.map((vocabulary) => [vocabulary.recordName, catalogEntrySchema(vocabulary)]),
  ),
  IABCategory: iabCategorySchema,
}

const orders = Object.keys(entryOrders)

const etagOfEntry = (row: CatalogEntryRow): string => recordEtag(row.id, row.version)

/** Throws 'forbidden' for a key restricted to projects: a vocabulary change affects files of every project. */
const checkWholeAccount = ({ projectIds }: Principal): void => {
  if (projectIds !== null) throw new Problem('key_restricted')
}

export const registerCatalogRoutes = (app: HttpServer, dependencies: CatalogRouteDependencies): void => {
  for (const vocabulary of catalogVocabularies) registerVocabulary(app, dependencies, vocabulary)
  registerIabRoutes(app)
}

const registerVocabulary = (
  app: HttpServer,
  { database, jobs, publicUrl }: CatalogRouteDependencies,
  vocabulary: CatalogVocabulary,
): void => {
  const { kind, singular, plural, path, idParameter, listKey, recordName } = vocabulary
  const onePath = `${path}/:${idParameter}`
  const params = Type.Object({ [idParameter]: idSchema })
  const idOf = ({ params: sent }: { readonly params: Readonly<Record<string, number>> }): number =>
    sent[idParameter] ?? 0
  const scopeOf = (principal: Principal): CatalogScope => ({ accountId: principal.accountId, vocabulary })
  const one = { schema: schemaRef(recordName), description: `The whole ${singular}.` }

  const relabelFiles = (tx: Tx, accountId: number, entryId: number): Promise<void> =>
    jobs.enqueue(tx, relabelFilesJob, { accountId, kind, entryId })

  app.get(
    path,
    {
      config: { permission: 'catalog:read' },
      schema: {
        operationId: `list${listKey}`,
        tags: [tags.catalog],
        summary: `List ${plural}`,
        description: `${vocabulary.meaning} Returns all ${plural} of the account, newest first.`,
        querystring: Type.Object(searchableListQuery(orders, '`Label` or `CustomId`')),
        response: responses({
          status: 200,
          schema: listSchema(listKey, schemaRef(recordName)),
          description: `One page of ${plural}.`,
        }),
      },
    },
    async (request, reply) => {
      const query = request.query
      const page = parsePage(query, orders)
      const found = await listEntries(database.kysely, scopeOf(request.principal), query.search, page)
      const { body, etag } = renderFreshList(listKey, found.rows.map(catalogRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    path,
    {
      config: { permission: 'catalog:write' },
      schema: {
        operationId: `create${recordName}`,
        tags: [tags.catalog],
        summary: `Create a ${singular}`,
        description: `${vocabulary.meaning} The metadata of a file references it by \`Id\` or \`CustomId\`.`,
        body: entryCreateSchema(vocabulary),
        response: responses({ ...one, status: 201 }, 409),
      },
    },
    async (request, reply) => {
      checkWholeAccount(request.principal)
      const row = await database.transaction(async (tx) => {
        const made = await insertEntry(tx, scopeOf(request.principal), request.body)
        await recordAct(tx, actorOf(request), {
          action: `${kind}.created`,
          subject: recordName,
          subjectId: made.id,
          after: catalogRecord(made),
        })
        return made
      })
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${row.id}`)
      return sendJson(request, reply, JSON.stringify(catalogRecord(row)), etagOfEntry(row))
    },
  )

  app.get(
    onePath,
    {
      config: { permission: 'catalog:read' },
      schema: {
        operationId: `get${recordName}`,
        tags: [tags.catalog],
        summary: `Get a ${singular}`,
        description: vocabulary.meaning,
        params,
        response: responses({ ...one, status: 200 }, 404),
      },
    },
    async (request, reply) => {
      const row = await findEntry(database.kysely, scopeOf(request.principal), idOf(request))
      return sendJson(request, reply, JSON.stringify(catalogRecord(row)), etagOfEntry(row))
    },
  )

  app.put(
    onePath,
    {
      config: { permission: 'catalog:write' },
      schema: {
        operationId: `update${recordName}`,
        tags: [tags.catalog],
        summary: `Update a ${singular}`,
        description:
          'Changes only the fields that you send; `null` clears a field. Files that reference the entry show the new `Label` within seconds, and each sends `file.updated`.',
        params,
        body: entryUpdateSchema,
        response: responses({ ...one, status: 200 }, 404, 409, 412),
      },
    },
    async (request, reply) => {
      checkWholeAccount(request.principal)
      const scope = scopeOf(request.principal)
      const { Clean } = await schemaValues()
      const row = await database.transaction(async (tx) => {
        const before = await lockEntry(tx, scope, idOf(request))
        checkIfMatch(request, etagOfEntry(before))
        // Removes unknown fields in place.
        Clean(entryUpdateSchema, request.body)
        const after = await changeEntry(tx, scope, before, request.body)
        if (before.label !== after.label || before.custom_id !== after.custom_id)
          await relabelFiles(tx, scope.accountId, after.id)
        await recordAct(tx, actorOf(request), {
          action: `${kind}.updated`,
          subject: recordName,
          subjectId: after.id,
          before: catalogRecord(before),
          after: catalogRecord(after),
        })
        return after
      })
      return sendJson(request, reply, JSON.stringify(catalogRecord(row)), etagOfEntry(row))
    },
  )

  app.delete(
    onePath,
    {
      config: { permission: 'catalog:write' },
      schema: {
        operationId: `delete${recordName}`,
        tags: [tags.catalog],
        summary: `Delete a ${singular}`,
        description:
          'Deletes the entry for good. Files that reference it lose the reference within seconds, and each sends `file.updated`.',
        params,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      checkWholeAccount(request.principal)
      const scope = scopeOf(request.principal)
      const id = idOf(request)
      await database.transaction(async (tx) => {
        const before = await lockEntry(tx, scope, id)
        checkIfMatch(request, etagOfEntry(before))
        await deleteEntry(tx, scope, id)
        await recordAct(tx, actorOf(request), {
          action: `${kind}.deleted`,
          subject: recordName,
          subjectId: id,
          before: catalogRecord(before),
        })
        await relabelFiles(tx, scope.accountId, id)
      })
      return reply.send({ Id: id, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
