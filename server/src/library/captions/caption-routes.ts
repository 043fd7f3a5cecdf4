import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { FileAddress } from '../files/change/change-extras.ts'
import { checkMayEdit } from '../files/record/file-access.ts'
import type { MediaFileRow } from '../files/record/file-record.ts'
import { captionRecord, type FileCaptionRow } from '../files/record/parts/caption-record.ts'
import { findMediaFile } from '../files/record/media-file-store.ts'
import { acceptAttachedFiles, readAttachedFile } from '../../platform/http/attached-file.ts'
import { checkIfMatch, etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { deletedSchema, idSchema } from '../../platform/http/requests/schemas.ts'
import { jsonBodyOf } from '../../platform/http/requests/json-body.ts'
import { jsonOrStreamedBody } from '../../platform/http/requests/streamed-body.ts'
import { readPage } from '../../platform/db/keyset.ts'
import { Problem } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import {
  captionForm,
  captionText,
  changedFields,
  cleanCaptions,
  createCaptionSchema,
  fieldsOf,
  fieldsOfRaw,
  jsonLimitBytes,
  kindAfter,
  rawCaptionQuery,
  textLimit,
  updateCaptionSchema,
} from './caption-input.ts'
import {
  deleteCaption,
  findCaption,
  insertCaption,
  storeText,
  updateCaption,
  type CaptionDependencies,
} from './caption-store.ts'

/** Some browsers send `text/srt` for `.srt` files. */
const rawTypes = /^(?:text\/(?:vtt|plain|srt)|application\/x-subrip)\s*(?:;.*)?$/i

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })
const captionParams = Type.Object({ projectId: idSchema, fileId: idSchema, captionId: idSchema })

const listUrl = '/projects/:projectId/files/:fileId/captions'
const recordUrl = `${listUrl}/:captionId`

type FileRequest = FastifyRequest & { readonly params: Static<typeof fileParams> }

const addressOf = (request: FileRequest): FileAddress => {
  const { projectId, fileId } = request.params
  return { accountId: request.principal.accountId, projectId, fileId }
}

const captionIdOf = ({ params }: { readonly params: Static<typeof captionParams> }): number =>
  params.captionId

/** Replaces the error of the JSON parser, which names the general body limit. */
const tooLarge = (error: Error & { code?: string }): Error =>
  error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    ? new Problem('caption_too_large', { limit: textLimit.maxText })
    : error

const readJson = (body: Static<typeof createCaptionSchema> | null) => {
  if (body === null) throw new Problem('caption_body_missing')
  return { fields: fieldsOf(body), content: body.Content }
}

const bodyOptions = {
  bodyLimit: jsonLimitBytes,
  errorHandler: (error: Error) => {
    throw tooLarge(error)
  },
}

export const registerCaptionRoutes = async (
  app: HttpServer,
  dependencies: CaptionDependencies,
): Promise<void> => {
  const { database, publicUrl } = dependencies
  await acceptAttachedFiles(app, rawTypes)

  const findFile = (request: FileRequest): Promise<MediaFileRow> =>
    findMediaFile(database.kysely, addressOf(request))

  const render = (caption: FileCaptionRow, file: MediaFileRow): string =>
    JSON.stringify(captionRecord(caption, file, publicUrl))

  app.get(
    listUrl,
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listCaptions',
        tags: [tags.files],
        summary: 'List captions',
        description:
          'Returns the subtitles, captions and chapters of a file in all languages. The file record contains the same list.',
        params: fileParams,
        querystring: Type.Object(listQuery()),
        response: responses(
          {
            status: 200,
            schema: listSchema('Captions', schemaRef('Caption')),
            description: 'One page of captions.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const page = parsePage(request.query)
      const file = await findFile(request)
      const all = database.kysely.selectFrom('file_captions').where('file_id', '=', file.id)
      const found = await readPage(all.selectAll(), page, null)
      const { count } = await all
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const { body, etag } = renderFreshList(
        'Captions',
        found.rows.map((caption) => captionRecord(caption, file, publicUrl)),
        { totalCount: count, last: found.last },
        page,
      )
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    listUrl,
    {
      config: { permission: 'files:write-own' },
      ...bodyOptions,
      schema: {
        operationId: 'createCaption',
        tags: [tags.files],
        summary: 'Add captions',
        description:
          'Adds subtitles, captions or chapters as WebVTT or SubRip in UTF-8. Send JSON with `Content`, the raw text (text/vtt, application/x-subrip or text/plain) with `language` in the query, or multipart/form-data (part `file`, and Language, Label, Kind, IsDefault). An error names the line in the text. A file has one track of each kind in a language; a second one returns 409. Players show a new track at their next start. Chapters must be WebVTT; the embed player shows them, HLS and DASH do not contain them.',
        params: fileParams,
        querystring: rawCaptionQuery,
        body: jsonOrStreamedBody(createCaptionSchema, {
          'text/vtt': captionText,
          'application/x-subrip': captionText,
          'text/plain': captionText,
          'multipart/form-data': captionForm,
        }),
        response: responses(
          { status: 201, schema: schemaRef('Caption'), description: 'The new captions.' },
          404,
          409,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      const address = addressOf(request)
      const { principal } = request
      const file = await findFile(request)
      checkMayEdit(principal, file)
      const attached = await readAttachedFile(request, reply, textLimit)
      const { fields, content } =
        attached === null
          ? readJson(jsonBodyOf(request))
          : { fields: fieldsOfRaw(request.query, attached.fields), content: attached.bytes }
      const text = cleanCaptions(content, fields.kind)
      const caption = await insertCaption(
        dependencies,
        { address, principal },
        fields,
        await storeText(dependencies, address, text),
      )
      const record = render(caption, file)
      reply
        .code(201)
        .header(
          'Location',
          `${publicUrl}/v3/projects/${address.projectId}/files/${file.id}/captions/${caption.id}`,
        )
      return sendJson(request, reply, record, etagOf(record))
    },
  )

  app.get(
    recordUrl,
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'getCaption',
        tags: [tags.files],
        summary: 'Get captions',
        description: 'Returns language, kind and text URL of a caption track.',
        params: captionParams,
        response: responses({ status: 200, schema: schemaRef('Caption'), description: 'The captions.' }, 404),
      },
    },
    async (request, reply) => {
      const file = await findFile(request)
      const record = render(await findCaption(database.kysely, file.id, captionIdOf(request)), file)
      return sendJson(request, reply, record, etagOf(record))
    },
  )

  app.put(
    recordUrl,
    {
      config: { permission: 'files:write-own' },
      ...bodyOptions,
      schema: {
        operationId: 'updateCaption',
        tags: [tags.files],
        summary: 'Update captions',
        description:
          'Changes only the fields that you send; `null` restores the default. A new `Content` replaces the text and gets a new `URI`.',
        params: captionParams,
        body: updateCaptionSchema,
        response: responses(
          { status: 200, schema: schemaRef('Caption'), description: 'The captions.' },
          404,
          409,
          412,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      const address = addressOf(request)
      const { principal } = request
      const body = request.body
      const file = await findFile(request)
      checkMayEdit(principal, file)
      const seen = await findCaption(database.kysely, file.id, captionIdOf(request))
      const text =
        body.Content === undefined
          ? null
          : await storeText(dependencies, address, cleanCaptions(body.Content, kindAfter(seen, body)))
      const caption = await updateCaption(
        dependencies,
        { address, principal },
        captionIdOf(request),
        (before) => {
          checkIfMatch(request, etagOf(render(before, file)))
          // The text was validated for the kind seen before the transaction.
          if (before.kind !== seen.kind) throw new Problem('caption_kind_changed')
          return changedFields(before, body)
        },
        text,
      )
      const record = render(caption, file)
      return sendJson(request, reply, record, etagOf(record))
    },
  )

  app.delete(
    recordUrl,
    {
      config: { permission: 'files:write-own' },
      schema: {
        operationId: 'deleteCaption',
        tags: [tags.files],
        summary: 'Delete captions',
        description: 'Deletes the track for good.',
        params: captionParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const file = await findFile(request)
      const captionId = captionIdOf(request)
      const { principal } = request
      await deleteCaption(dependencies, { address: addressOf(request), principal }, captionId, (before) =>
        checkIfMatch(request, etagOf(render(before, file))),
      )
      return reply.send({ Id: captionId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
