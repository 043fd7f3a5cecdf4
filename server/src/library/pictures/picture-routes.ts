import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { FileAddress } from '../files/change/change-extras.ts'
import { checkMayEdit } from '../files/record/file-access.ts'
import type { MediaFileRow } from '../files/record/file-record.ts'
import { pictureRecord } from '../files/record/parts/picture-record.ts'
import { findMediaFile } from '../files/record/media-file-store.ts'
import { acceptAttachedFiles } from '../../platform/http/attached-file.ts'
import { checkIfMatch, etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { deletedSchema, idSchema, nullable } from '../../platform/http/requests/schemas.ts'
import { jsonOrStreamedBody } from '../../platform/http/requests/streamed-body.ts'
import { readPage } from '../../platform/db/keyset.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { invalidField } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import {
  createPicture,
  pictureBytes,
  pictureForm,
  rawPictureQuery,
  takeFrameSchema,
} from './create-picture.ts'
import { deletePicture, findPicture, updatePicture, type PictureDependencies } from './picture-store.ts'

const rawTypes = /^(?:image\/.+|application\/octet-stream\s*(?:;.*)?)$/i

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })
const pictureParams = Type.Object({ projectId: idSchema, fileId: idSchema, filePictureId: idSchema })

const updatePictureSchema = Type.Object(
  {
    IsStandard: Type.Optional(
      nullable(Type.Boolean({ description: 'True makes this picture the poster of the file.' })),
    ),
  },
  { description: 'Changes to a picture.', examples: [{ IsStandard: true }] },
)

const listUrl = '/projects/:projectId/files/:fileId/pictures'
const recordUrl = `${listUrl}/:filePictureId`

type FileRequest = FastifyRequest & { readonly params: Static<typeof fileParams> }

const addressOf = (request: FileRequest): FileAddress => {
  const { projectId, fileId } = request.params
  return { accountId: request.principal.accountId, projectId, fileId }
}

const pictureIdOf = ({ params }: { readonly params: Static<typeof pictureParams> }): number =>
  params.filePictureId

export const registerPictureRoutes = async (
  app: HttpServer,
  dependencies: PictureDependencies & { readonly jobs: Jobs },
): Promise<void> => {
  const { database, publicUrl } = dependencies
  await acceptAttachedFiles(app, rawTypes)

  const findFile = (request: FileRequest): Promise<MediaFileRow> =>
    findMediaFile(database.kysely, addressOf(request))

  const render = (picture: Parameters<typeof pictureRecord>[0]): string =>
    JSON.stringify(pictureRecord(picture, publicUrl))

  const sendPicture = async (
    request: FastifyRequest,
    reply: FastifyReply,
    fileId: number,
    pictureId: number,
  ): Promise<FastifyReply> => {
    const record = render(await findPicture(database.kysely, fileId, pictureId))
    return sendJson(request, reply, record, etagOf(record))
  }

  app.get(
    listUrl,
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listPictures',
        tags: [tags.files],
        summary: 'List pictures',
        description:
          'Returns the pictures of a file, newest first. One of them is the standard picture, which the metadata of the file contains.',
        params: fileParams,
        querystring: Type.Object(listQuery()),
        response: responses(
          {
            status: 200,
            schema: listSchema('Pictures', schemaRef('Picture')),
            description: 'One page of pictures.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      const page = parsePage(request.query)
      const file = await findFile(request)
      const all = database.kysely.selectFrom('file_pictures').where('file_id', '=', file.id)
      const found = await readPage(all.selectAll(), page, null)
      const { count } = await all
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const { body, etag } = renderFreshList(
        'Pictures',
        found.rows.map((picture) => pictureRecord(picture, publicUrl)),
        { totalCount: count, last: found.last },
        page,
      )
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    listUrl,
    {
      // A long request claims its Idempotency-Key with a lease instead of a transaction, so that the worker
      // sees its rows.
      config: { permission: 'files:write-own', isLong: true },
      schema: {
        operationId: 'createPicture',
        tags: [tags.files],
        summary: 'Add a picture',
        description:
          'Adds a picture to a file. With a JSON body, `Position` selects a frame of the video. To upload a picture, send the raw body (image/jpeg, image/png, image/webp) or multipart/form-data (part `file`, optional IsStandard): at most 20 MiB and 50 megapixels. Zoetrope detects the format from the bytes and re-encodes every picture as an upright JPEG without metadata. It becomes the standard picture unless `IsStandard` is false. The response follows when the picture is ready, or is 503 if no worker is available.',
        params: fileParams,
        querystring: rawPictureQuery,
        body: jsonOrStreamedBody(takeFrameSchema, {
          'image/jpeg': pictureBytes,
          'image/png': pictureBytes,
          'image/webp': pictureBytes,
          'application/octet-stream': pictureBytes,
          'multipart/form-data': pictureForm,
        }),
        response: responses(
          { status: 201, schema: schemaRef('Picture'), description: 'The new picture.' },
          404,
          409,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      const address = addressOf(request)
      const file = await findFile(request)
      checkMayEdit(request.principal, file)
      const pictureId = await createPicture(dependencies, { request, reply, file, address })
      reply
        .code(201)
        .header(
          'Location',
          `${publicUrl}/v3/projects/${address.projectId}/files/${file.id}/pictures/${pictureId}`,
        )
      return sendPicture(request, reply, file.id, pictureId)
    },
  )

  app.get(
    recordUrl,
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'getPicture',
        tags: [tags.files],
        summary: 'Get a picture',
        description: 'Returns URL and aspect ratio of a picture, and whether it is the standard picture.',
        params: pictureParams,
        response: responses({ status: 200, schema: schemaRef('Picture'), description: 'The picture.' }, 404),
      },
    },
    async (request, reply) => {
      const file = await findFile(request)
      return sendPicture(request, reply, file.id, pictureIdOf(request))
    },
  )

  app.put(
    recordUrl,
    {
      config: { permission: 'files:write-own' },
      schema: {
        operationId: 'updatePicture',
        tags: [tags.files],
        summary: 'Set the standard picture',
        description:
          '`IsStandard: true` makes this picture the standard picture of the file. To replace the standard picture, set another one.',
        params: pictureParams,
        body: updatePictureSchema,
        response: responses(
          { status: 200, schema: schemaRef('Picture'), description: 'The whole picture.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { IsStandard: isStandard } = request.body
      const { principal } = request
      const picture = await updatePicture(
        dependencies,
        { address: addressOf(request), principal },
        pictureIdOf(request),
        (before) => {
          checkIfMatch(request, etagOf(render(before)))
          if (before.is_standard && isStandard !== undefined && isStandard !== true)
            throw invalidField('IsStandard', 'standard_picture_kept')
          return isStandard === true
        },
      )
      const record = render(picture)
      return sendJson(request, reply, record, etagOf(record))
    },
  )

  app.delete(
    recordUrl,
    {
      config: { permission: 'files:write-own' },
      schema: {
        operationId: 'deletePicture',
        tags: [tags.files],
        summary: 'Delete a picture',
        description:
          'Deletes a picture for good. If it was the standard picture, the newest remaining one replaces it; without another picture the file has none.',
        params: pictureParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          412,
        ),
      },
    },
    async (request, reply) => {
      const pictureId = pictureIdOf(request)
      const { principal } = request
      await deletePicture(dependencies, { address: addressOf(request), principal }, pictureId, (before) =>
        checkIfMatch(request, etagOf(render(before))),
      )
      return reply.send({ Id: pictureId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
