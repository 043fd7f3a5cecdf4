import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { deleteFile } from '../files/delete-file.ts'
import { cleanFileName } from '../files/file-name.ts'
import { metadataWriteSchema } from '../files/file-metadata.ts'
import { fileSchema, type MediaFileRow } from '../files/file-record.ts'
import { insertMediaFile } from '../files/media-file-store.ts'
import { recordEtag } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { idSchema } from '../http/schemas.ts'
import { newId } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { toTimestamp } from '../kernel/timestamp.ts'
import { findProject, lockProject } from '../projects/project-store.ts'
import { checkQuota, finishUpload } from './finish-upload.ts'
import type { ReceiveDependencies } from './receive-upload.ts'
import { abandonBody, endWhenSilent } from './upload-routes.ts'
import { receiveForm, type ReceivedForm } from './receive-form.ts'
import { insertUpload, type UploadRow } from './upload-store.ts'

/** Bodies that are the bytes of the file itself. */
const rawTypes = /^(?:(?:video|audio)\/.+|application\/octet-stream\s*(?:;.*)?)$/i

/** Boundaries, part headers and metadata come on top of the file. */
const formOverheadBytes = 2 * 1024 * 1024

const checksumPattern = '^(sha256:)?[0-9a-fA-F]{64}$'

const createFileSchema = Type.Object(
  {
    FileName: Type.String({ minLength: 1, maxLength: 1_000, examples: ['interview.mp4'] }),
    FileFormat: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only informative: what counts is what the bytes are.' }),
    ),
    FileSize: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Bytes.' }),
    ),
    Checksum: Type.Optional(
      Type.String({ pattern: checksumPattern, description: 'SHA-256 in hex, with or without "sha256:".' }),
    ),
    Metadata: Type.Optional(metadataWriteSchema),
    UseEncoding: Type.Optional(Type.Boolean()),
    EncodingPriority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  { description: 'The record of a file whose bytes follow by PUT to the upload URL in the answer.' },
)

type CreateFile = Static<typeof createFileSchema>

export const createdFileSchema = Type.Object({
  ...fileSchema.properties,
  Upload: Type.Optional(
    Type.Object({
      URI: Type.String({
        format: 'uri',
        description: 'PUT the bytes here, whole or in Content-Range chunks; needs no API key.',
      }),
      TusURI: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
      ExpiresAt: Type.String({ format: 'date-time' }),
    }),
  ),
})

const projectParams = Type.Object({ projectId: idSchema })
const rawQuery = Type.Object({
  fileName: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Name of a raw body; Content-Disposition does as well.' }),
  ),
})

const normalizeChecksum = (checksum: string): string =>
  `sha256:${checksum.replace(/^sha256:/, '').toLowerCase()}`

/** RFC 6266: `filename*` (RFC 8187, UTF-8) goes before `filename`. */
const nameFromDisposition = (header: string | undefined): string | null => {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header ?? '')?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      return null
    }
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '')
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? null
}

export const registerCreateFileRoutes = async (
  app: FastifyInstance,
  dependencies: ReceiveDependencies,
): Promise<void> => {
  const { database, publicUrl } = dependencies
  await app.register(multipart, {
    // Every part is read as a stream, also the JSON: the parser's own limits cut off silently, ours say so.
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts: 20, fileSize: Number.MAX_SAFE_INTEGER },
  })
  app.addContentTypeParser(rawTypes, (_request, payload, done) => done(null, payload))

  const expiresAt = (): Date => new Date(Date.now() + dependencies.expiryMs)

  const createRecord = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { projectId } = request.params as { projectId: number }
    const body = request.body as CreateFile
    if ('SourceURI' in body)
      throw new Problem(
        'invalid',
        'SourceURI is not taken by this version; upload the bytes to the URL in the answer instead.',
      )
    if (body.FileSize !== undefined && body.FileSize > dependencies.maxSizeBytes)
      throw new Problem('too_large', `FileSize may be ${dependencies.maxSizeBytes} bytes at most.`)
    const checksum = body.Checksum === undefined ? null : normalizeChecksum(body.Checksum)
    const created = await database.transaction(async (tx) => {
      const project = await lockProject(tx, request.principal.accountId, projectId)
      checkQuota(project, body.FileSize ?? 0)
      const file = await insertMediaFile(tx, publicUrl, project, {
        principal: request.principal,
        originalFileName: cleanFileName(body.FileName),
        metadata: body.Metadata ?? {},
        useEncoding: body.UseEncoding,
        encodingPriority: body.EncodingPriority,
        checksum,
      })
      const upload = await insertUpload(tx, {
        accountId: file.account_id,
        fileId: file.id,
        sizeBytes: body.FileSize ?? null,
        checksum,
        expiresAt: expiresAt(),
      })
      return { file, upload }
    })
    const { file, upload } = created
    const uri = `${publicUrl}/uploads/${upload.token}`
    const link = JSON.stringify({ URI: uri, TusURI: null, ExpiresAt: toTimestamp(upload.row.expires_at) })
    return sendCreated(reply, file, uri, `${file.record.slice(0, -1)},"Upload":${link}}`)
  }

  const sendCreated = (
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

  /** Nobody knows the token of this upload, so nobody could finish it later: when it cannot be finished now, the record goes again. */
  const finishOrDelete = (upload: UploadRow): Promise<MediaFileRow> =>
    finishUpload(dependencies, upload).catch(async (error: unknown) => {
      const key = { accountId: upload.account_id, fileId: upload.file_id }
      await database.transaction((tx) => deleteFile(tx, { ...dependencies, retentionDays: 0 }, key))
      throw error
    })

  /** The record is made after the last byte: a sender that breaks off leaves nothing behind. */
  const createFromBytes = async (
    request: FastifyRequest,
    reply: FastifyReply,
    receive: (stagingName: string) => Promise<ReceivedForm>,
  ): Promise<FastifyReply> => {
    const { projectId } = request.params as { projectId: number }
    const { accountId } = request.principal
    const announcedBytes = Number(request.headers['content-length'] ?? 0)
    checkQuota(await findProject(database.kysely, accountId, projectId), announcedBytes)
    if (announcedBytes > dependencies.maxSizeBytes + formOverheadBytes)
      throw new Problem('too_large', `An upload may have ${dependencies.maxSizeBytes} bytes at most.`)
    endWhenSilent(request)
    const stagingName = newId()
    try {
      const { fileName, metadata } = await receive(stagingName)
      const sizeBytes = await dependencies.staging.sizeOf(stagingName)
      if (sizeBytes === 0)
        throw new Problem('invalid', 'The body is empty; send the bytes of a video or audio file.')
      const upload = await database.transaction(async (tx) => {
        const locked = await lockProject(tx, accountId, projectId)
        checkQuota(locked, sizeBytes)
        const file = await insertMediaFile(tx, publicUrl, locked, {
          principal: request.principal,
          originalFileName: cleanFileName(fileName),
          metadata,
          useEncoding: undefined,
          encodingPriority: undefined,
          checksum: null,
        })
        const { row } = await insertUpload(tx, {
          accountId,
          fileId: file.id,
          sizeBytes,
          checksum: null,
          expiresAt: expiresAt(),
          stagingName,
        })
        return row
      })
      const file = await finishOrDelete(upload)
      return sendCreated(reply, file, `${publicUrl}/v3/projects/${projectId}/files/${file.id}`, file.record)
    } catch (error) {
      abandonBody(request, reply)
      throw error
    } finally {
      await dependencies.staging.remove(stagingName)
    }
  }

  const stage = async (stagingName: string, body: AsyncIterable<Buffer>): Promise<void> => {
    const { isWhole } = await dependencies.staging.append(stagingName, body, {
      offset: 0,
      maxSizeBytes: dependencies.maxSizeBytes,
    })
    if (!isWhole) throw new Problem('timeout', 'The connection broke off before the end of the body.')
  }

  const createFromRawBody = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    createFromBytes(request, reply, async (stagingName) => {
      const { fileName } = request.query as { fileName?: string }
      await stage(stagingName, request.body as IncomingMessage)
      return {
        fileName: fileName ?? nameFromDisposition(request.headers['content-disposition']) ?? 'upload',
        metadata: {},
      }
    })

  const createFromMultipart = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    createFromBytes(request, reply, (stagingName) =>
      receiveForm(request, (bytes) => stage(stagingName, bytes)),
    )

  app.post(
    '/projects/:projectId/files',
    {
      config: { permission: 'files:upload' },
      schema: {
        operationId: 'createFile',
        tags: [tags.files],
        summary: 'Upload a file',
        description:
          'As JSON: creates the record and answers an upload URL, to which the bytes are PUT whole or in Content-Range chunks. ' +
          'As multipart/form-data (part `file`, optional JSON part `Metadata`) or as the raw body: takes the bytes at once.',
        params: projectParams,
        querystring: rawQuery,
        body: {
          content: {
            'application/json': { schema: createFileSchema },
            'multipart/form-data': { schema: {} },
            'application/octet-stream': { schema: {} },
            'video/*': { schema: {} },
            'audio/*': { schema: {} },
          },
        },
        response: responses(
          {
            status: 201,
            schema: schemaRef('CreatedFile'),
            description: 'The file; `Location` is where the bytes go, or the record.',
          },
          404,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      if (request.isMultipart()) return createFromMultipart(request, reply)
      const type = request.headers['content-type'] ?? ''
      if (rawTypes.test(type)) return createFromRawBody(request, reply)
      if (request.body === undefined || request.body === null)
        throw new Problem(
          'invalid',
          'A body is needed: {"FileName": "…"} as JSON, a form with a part "file", or the bytes themselves.',
        )
      return createRecord(request, reply)
    },
  )
}
