import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { checkIfMatch, etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { idSchema, purgeTimeOf, restorableSchema } from '../../platform/http/requests/schemas.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { addElements } from './add-elements.ts'
import { readElements, readTotals } from './playlist-elements.ts'
import { claimPlaylistExternalId } from './playlist-external-id.ts'
import { orders, parsePlaylistFilter, playlistListQuery } from './playlist-filter.ts'
import { playlistRecord, playlistSummary } from './playlist-record.ts'
import type { PlaylistRow } from './playlist-row.ts'
import {
  changePlaylist,
  findPlaylist,
  insertPlaylist,
  listPlaylists,
  lockPlaylist,
  type PlaylistChange,
  type PlaylistScope,
} from './playlist-store.ts'
import { elementsWriteSchema, playlistCreateSchema, playlistUpdateSchema } from './playlist-write-schema.ts'
import { checkMayWrite, toChange, toNewPlaylist, type Writer } from './playlist-write.ts'

export interface PlaylistRouteDependencies {
  readonly database: Database
  readonly publicUrl: string
  readonly maxElements: number
  readonly retentionDays: number
}

const path = '/modules/playlists'
const playlistParams = Type.Object({ playlistId: idSchema })

const scopeOf = ({ principal }: FastifyRequest): PlaylistScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})

const wholePlaylist = { schema: schemaRef('Playlist'), description: 'The whole playlist.' }

const addElementsSchema = (maxElements: number) =>
  Type.Object(
    {
      Elements: elementsWriteSchema(maxElements, 1),
      Position: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Position of the first new element, counted from 1. Default: after the last element.',
        }),
      ),
    },
    { examples: [{ Elements: [{ FileId: 17 }], Position: 1 }] },
  )

/**
 * Returns the record with an ETag of its text, because changes of files change the record without a new
 * version.
 */
const renderPlaylist = async (
  queryable: Queryable,
  row: PlaylistRow,
  publicUrl: string,
): Promise<{ text: string; etag: string }> => {
  const text = JSON.stringify(playlistRecord(row, await readElements(queryable, row, 'makers'), publicUrl))
  return { text, etag: etagOf(text) }
}

/** Number of playlists counted concurrently: each count may query all files of the account. */
const totalsAtOnce = 4

const summariesOf = async (queryable: Queryable, rows: readonly PlaylistRow[], publicUrl: string) => {
  const summaries: ReturnType<typeof playlistSummary>[] = []
  for (let start = 0; start < rows.length; start += totalsAtOnce)
    summaries.push(
      ...(await Promise.all(
        rows
          .slice(start, start + totalsAtOnce)
          .map(async (row) => playlistSummary(row, await readTotals(queryable, row), publicUrl)),
      )),
    )
  return summaries
}

export const registerPlaylistRoutes = (
  app: HttpServer,
  { database, publicUrl, maxElements, retentionDays }: PlaylistRouteDependencies,
): void => {
  const sendPlaylist = async (request: FastifyRequest, reply: FastifyReply, row: PlaylistRow) => {
    const { text, etag } = await renderPlaylist(database.kysely, row, publicUrl)
    return sendJson(request, reply, text, etag)
  }

  const writerOf = (request: FastifyRequest): Writer => ({
    principal: request.principal,
    scope: scopeOf(request),
    maxElements,
  })

  /**
   * Locks the playlist, checks the rights of the caller and If-Match, and applies the change that `decide`
   * returns.
   */
  const change = (
    request: FastifyRequest & { readonly params: Static<typeof playlistParams> },
    event: 'playlist.updated' | 'playlist.deleted',
    decide: (tx: Tx, before: PlaylistRow) => Promise<PlaylistChange>,
  ): Promise<PlaylistRow> =>
    database.transaction(async (tx) => {
      const { playlistId } = request.params
      const before = await lockPlaylist(tx, scopeOf(request), playlistId)
      checkMayWrite(request.principal, before.project_id)
      if (request.headers['if-match'] !== undefined)
        checkIfMatch(request, (await renderPlaylist(tx, before, publicUrl)).etag)
      const decided = await decide(tx, before)
      await claimPlaylistExternalId(tx, scopeOf(request), playlistId, decided.external_id)
      return changePlaylist(tx, publicUrl, before, decided, event)
    })

  app.get(
    path,
    {
      config: { permission: 'playlists:read' },
      schema: {
        operationId: 'listPlaylists',
        tags: [tags.playlists],
        summary: 'List playlists',
        description:
          'Returns playlists without their elements, newest first. Get a playlist to read its elements. A key that is restricted to projects sees only the playlists of these projects.',
        querystring: playlistListQuery,
        response: responses({
          status: 200,
          schema: listSchema('Playlists', schemaRef('PlaylistSummary')),
          description: 'One page of playlists.',
        }),
      },
    },
    async (request, reply) => {
      const query = request.query
      const page = parsePage(query, orders)
      const filter = parsePlaylistFilter(query)
      const found = await listPlaylists(database.kysely, scopeOf(request), filter, page)
      const records = await summariesOf(database.kysely, found.rows, publicUrl)
      const { body, etag } = renderFreshList('Playlists', records, found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    path,
    {
      config: { permission: 'playlists:write', isProjectInRecord: true },
      schema: {
        operationId: 'createPlaylist',
        tags: [tags.playlists],
        summary: 'Create a playlist',
        description:
          'Creates a manual playlist, whose files you put in order, or an automatic one, whose `Rules` select the files. A published playlist plays as one stream.',
        body: playlistCreateSchema(maxElements),
        response: responses({ ...wholePlaylist, status: 201 }, 409),
      },
    },
    async (request, reply) => {
      const row = await database.transaction(async (tx) => {
        const playlist = await toNewPlaylist(tx, writerOf(request), request.body)
        await claimPlaylistExternalId(tx, scopeOf(request), null, playlist.external_id)
        return insertPlaylist(tx, publicUrl, request.principal.accountId, playlist)
      })
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${row.id}`)
      return sendPlaylist(request, reply, row)
    },
  )

  app.get(
    `${path}/:playlistId`,
    {
      config: { permission: 'playlists:read' },
      schema: {
        operationId: 'getPlaylist',
        tags: [tags.playlists],
        summary: 'Get a playlist',
        description:
          'Returns a playlist with its current elements. Zoetrope evaluates an automatic playlist on every read and leaves out deleted files.',
        params: playlistParams,
        response: responses({ ...wholePlaylist, status: 200 }, 404),
      },
    },
    async (request, reply) => {
      const { playlistId } = request.params
      return sendPlaylist(request, reply, await findPlaylist(database.kysely, scopeOf(request), playlistId))
    },
  )

  app.put(
    `${path}/:playlistId`,
    {
      config: { permission: 'playlists:write', isProjectInRecord: true },
      schema: {
        operationId: 'updatePlaylist',
        tags: [tags.playlists],
        summary: 'Update a playlist',
        description:
          'Changes only the fields that you send; `null` clears a field. `Elements` replaces the whole list: send it in a new order to sort it, or without an element to remove that element.',
        params: playlistParams,
        body: playlistUpdateSchema(maxElements),
        response: responses({ ...wholePlaylist, status: 200 }, 404, 409, 412),
      },
    },
    async (request, reply) => {
      const row = await change(request, 'playlist.updated', (tx, before) =>
        toChange(tx, writerOf(request), before, request.body),
      )
      return sendPlaylist(request, reply, row)
    },
  )

  app.delete(
    `${path}/:playlistId`,
    {
      config: { permission: 'playlists:write', isProjectInRecord: true },
      schema: {
        operationId: 'deletePlaylist',
        tags: [tags.playlists],
        summary: 'Delete a playlist',
        description:
          'Deletes a playlist with its stream, player page and feeds at once. Its files stay. You can restore the playlist until `PurgeAt`.',
        params: playlistParams,
        response: responses(
          { status: 200, schema: restorableSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const deletedAt = new Date()
      const purgeAt = purgeTimeOf(deletedAt, retentionDays)
      const row = await change(request, 'playlist.deleted', async () => ({
        deleted_at: deletedAt,
        purge_at: purgeAt,
        is_deleted_with_project: false,
      }))
      return reply.send({
        Id: row.id,
        IsEnabled: false,
        DeletedAt: toTimestamp(deletedAt),
        PurgeAt: toTimestamp(purgeAt),
      })
    },
  )

  app.post(
    `${path}/:playlistId/restore`,
    {
      config: { permission: 'playlists:write', isProjectInRecord: true },
      schema: {
        operationId: 'restorePlaylist',
        tags: [tags.playlists],
        summary: 'Restore a deleted playlist',
        description:
          'Restores a deleted playlist until `PurgeAt`. Sends `playlist.updated` and `playlist.restored`.',
        params: playlistParams,
        response: responses({ ...wholePlaylist, status: 200 }, 404, 409),
      },
    },
    async (request, reply) => {
      const { playlistId } = request.params
      const row = await database.transaction(async (tx) => {
        const before = await lockPlaylist(tx, scopeOf(request), playlistId, { isDeleted: true })
        checkMayWrite(request.principal, before.project_id)
        if (before.deleted_at === null) throw new Problem('playlist_not_deleted', { playlistId })
        await claimPlaylistExternalId(tx, scopeOf(request), playlistId, before.external_id)
        const restored = { deleted_at: null, purge_at: null }
        // The first release sent only playlist.updated, so both events are sent.
        return changePlaylist(tx, publicUrl, before, restored, 'playlist.updated', 'playlist.restored')
      })
      return sendPlaylist(request, reply, row)
    },
  )

  app.post(
    `${path}/:playlistId/elements`,
    {
      config: { permission: 'playlists:write', isProjectInRecord: true },
      schema: {
        operationId: 'addPlaylistElements',
        tags: [tags.playlists],
        summary: 'Add files to a playlist',
        description:
          'Adds files at the end of a manual playlist, or at a position, without sending the whole list.',
        params: playlistParams,
        body: addElementsSchema(maxElements),
        response: responses({ ...wholePlaylist, status: 201 }, 404, 409, 412),
      },
    },
    async (request, reply) => {
      const { Elements, Position } = request.body
      const row = await change(request, 'playlist.updated', (tx, before) =>
        addElements(tx, writerOf(request), before, {
          elements: Elements,
          position: Position ?? null,
        }),
      )
      reply.code(201).header('Location', `${publicUrl}/v3${path}/${row.id}`)
      return sendPlaylist(request, reply, row)
    },
  )
}
