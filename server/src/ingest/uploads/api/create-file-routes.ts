import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { checkFileExternalId } from '../../../library/files/record/file-external-id.ts'
import { metadataWriteSchema } from '../../../library/files/record/file-metadata.ts'
import { createdFileExample } from '../../../library/files/record/file-example.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { fileSchema } from '../../../library/files/record/file-schema.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordEtag } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { described, idSchema } from '../../../platform/http/requests/schemas.ts'
import { externalIdText, parseExternalId } from '../../../library/projects/external-id.ts'
import { newFileTarget, type NewFileInput } from './new-file-target.ts'
import { announcedSourceFields, openAnnouncedUpload } from '../receive/open-upload.ts'
import { rawQuery, receiveSource, sourceBodies, sourceBodyOf } from './receive-source.ts'
import { openPull, type OpenPullDependencies } from '../pull/open-pull.ts'

const createFileSchema = Type.Object(
  {
    ...announcedSourceFields,
    ExternalId: Type.Optional(externalIdText('the project')),
    Metadata: Type.Optional(metadataWriteSchema),
    UseEncoding: Type.Optional(
      Type.Boolean({ description: 'Whether to transcode the file. Default: the setting of the project.' }),
    ),
    EncodingPriority: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'Priority in the encoding queue, 0 to 100; higher values go first. Default: the setting of the project.',
      }),
    ),
  },
  {
    description: 'A new file. Its bytes follow to the upload URL, or are fetched from `SourceURI`.',
    examples: [
      {
        FileName: 'interview.mp4',
        FileSize: 48_213_004,
        Metadata: { Title: 'Interview', Tags: ['spring'], ReleaseStatus: 'unpublished' },
        EncodingPriority: 50,
      },
    ],
  },
)

/** Fields that JSON responses have in addition to the record. */
const uploadLinkSchema = Type.Object({
  URI: Type.String({
    format: 'uri',
    description:
      'URL to send the bytes to with PUT, whole or in chunks with `Content-Range`. It needs no API key.',
  }),
  TusURI: Type.String({
    format: 'uri',
    description: 'URL of the same upload for tus clients (`uploadUrl`). It needs no API key.',
  }),
  ExpiresAt: Type.String({
    format: 'date-time',
    description: 'Time at which the unfinished upload is deleted.',
  }),
})

export const createdFileSchema = Type.Object(
  {
    ...fileSchema.properties,
    Upload: Type.Optional(
      described(uploadLinkSchema, 'Where to send the bytes. Absent if they were in the request.'),
    ),
  },
  {
    description: 'A new file. If the request was JSON, `Upload` says where to send the bytes.',
    examples: [
      {
        ...createdFileExample,
        Upload: {
          URI: 'https://video.example.com/uploads/4x8tq0vS2bq8p5wPjPqkq1y3V2vY6w1m9c1b0n7d5aE',
          TusURI: 'https://video.example.com/uploads/4x8tq0vS2bq8p5wPjPqkq1y3V2vY6w1m9c1b0n7d5aE',
          ExpiresAt: '2026-03-02T11:59:12+00:00',
        },
      },
    ],
  },
)

const projectParams = Type.Object({ projectId: idSchema })
const createQuery = Type.Object({
  ...rawQuery.properties,
  externalId: Type.Optional(
    Type.String({
      maxLength: 255,
      description: '`ExternalId` of the file, for raw bodies and for forms without a part `ExternalId`.',
      examples: ['cms-4711'],
    }),
  ),
})

const queriedExternalId = ({ externalId }: Static<typeof createQuery>): string | null =>
  externalId === undefined ? null : parseExternalId(externalId, 'externalId')

export const sendCreated = (
  reply: FastifyReply,
  file: MediaFileRow,
  location: string,
  body: string,
): FastifyReply =>
  reply
    .code(201)
    .header('Location', location)
    .header('ETag', recordEtag(file.id, file.version))
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(body)

type ProjectRequest = FastifyRequest & { readonly params: Static<typeof projectParams> }

/** Must be registered in a scope that streams request bodies (`acceptSources`). */
export const registerCreateFileRoutes = (app: HttpServer, dependencies: OpenPullDependencies): void => {
  const { database, publicUrl } = dependencies
  const newFile = (request: ProjectRequest, input: NewFileInput) =>
    newFileTarget(dependencies, request.principal, request.params.projectId, input)
  const fileUri = (file: MediaFileRow): string =>
    `${publicUrl}/v3/projects/${file.project_id}/files/${file.id}`

  app.post(
    '/projects/:projectId/files',
    {
      config: { permission: 'files:upload' },
      schema: {
        operationId: 'createFile',
        tags: [tags.files],
        summary: 'Upload a file',
        description:
          'Creates a file. With a JSON body, the response has an upload URL: send the bytes there with PUT, whole or in `Content-Range` chunks, or with a tus client. With `SourceURI`, Zoetrope fetches the bytes itself. You can also send the bytes in this request: as the raw body, or as multipart/form-data (part `file`, optional parts `Metadata` as JSON and `ExternalId` as text). Then the response follows when the bytes are stored. Its `Status` is `playable` if the bytes are an MP4 that plays without encoding, or else `created`; it becomes `uploaded` once Zoetrope has found video or audio in them.',
        params: projectParams,
        querystring: createQuery,
        body: sourceBodies(createFileSchema, {
          Metadata: Type.Optional(metadataWriteSchema),
          ExternalId: Type.Optional(externalIdText('the project')),
        }),
        response: responses(
          {
            status: 201,
            schema: schemaRef('CreatedFile'),
            description:
              'The file. `Location` is the upload URL, or the URL of the record if the bytes were in the request.',
          },
          404,
          409,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      const source = sourceBodyOf(request)
      const externalId = queriedExternalId(request.query)
      if (source.way === 'json') {
        const body = source.json
        const target = newFile(request, {
          externalId: body.ExternalId ?? externalId,
          metadata: body.Metadata ?? {},
          useEncoding: body.UseEncoding,
          encodingPriority: body.EncodingPriority,
        })
        if (body.SourceURI !== undefined) {
          const file = await openPull(dependencies, target, { ...body, SourceURI: body.SourceURI })
          return sendCreated(reply, file, fileUri(file), file.record)
        }
        const opened = await openAnnouncedUpload(dependencies, target, body)
        return sendCreated(reply, opened.file, opened.uri, opened.body)
      }
      const file = await receiveSource(dependencies, request, {
        way: source.way,
        targetFor: (form) =>
          newFile(request, { metadata: form.metadata, externalId: form.externalId ?? externalId }),
        checkFirst: async () => {
          if (externalId !== null)
            await checkFileExternalId(database.kysely, request.params.projectId, null, externalId)
        },
      })
      return sendCreated(reply, file, fileUri(file), file.record)
    },
  )
}
