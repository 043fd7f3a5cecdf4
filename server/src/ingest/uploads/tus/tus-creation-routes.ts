import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { findMediaFile } from '../../../library/files/record/media-file-store.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { errorResponses, responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { sendCreated } from '../api/create-file-routes.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import { resumablePart } from '../receive/resumable-part.ts'
import { resumableFile } from '../receive/resumable-file.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import { newFileTarget } from '../api/new-file-target.ts'
import { openUpload, uploadUri, withUploadLink } from '../receive/open-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'
import { abandonBody } from '../receive/sender-connection.ts'
import { takeAnyBody } from './take-any-body.ts'
import { deletePart, insertPart } from '../store/upload-part-store.ts'
import { joinParts, parseConcat } from './join-parts.ts'
import {
  checkTusVersion,
  contentLengthOf,
  hasTusBody,
  headerOf,
  httpDate,
  integerHeader,
  methodOf,
  tusCapabilities,
  wrongBodyType,
} from './tus-protocol.ts'
import { appendTusBody, sayTusVersion, tooLarge } from './tus-requests.ts'
import { tusCreationHeaders } from './upload-operations.ts'
import { parseUploadMetadata } from './upload-metadata.ts'

const params = Type.Object({ projectId: idSchema })

type ProjectRequest = FastifyRequest & { readonly params: Static<typeof params> }

/**
 * Returns Upload-Length, or null for "Upload-Defer-Length: 1". A request has exactly one of the two headers.
 */
const announcedLength = (request: FastifyRequest, maxSizeBytes: number): number | null => {
  const length = integerHeader(request, 'Upload-Length')
  const deferred = headerOf(request, 'upload-defer-length')
  if (deferred !== null && deferred !== '1')
    throw invalidField('Upload-Defer-Length', 'upload_defer_length_invalid')
  if ((length === null) === (deferred === null)) throw new Problem('upload_length_missing')
  if (length === 0) throw new Problem('upload_length_zero')
  // "If the length of the upload exceeds the maximum, the Server MUST respond with the 413 status."
  if (length !== null && length > maxSizeBytes) throw tooLarge(maxSizeBytes)
  return length
}

const hasBody = (request: FastifyRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined || (contentLengthOf(request) ?? 0) > 0

/**
 * Registers tus creation for clients that support only tus: one POST creates the file and its upload. It needs
 * its own scope, because the body is a stream.
 */
export const registerTusCreationRoutes = (app: HttpServer, dependencies: ReceiveDependencies): void => {
  const { database, maxSizeBytes, expiryMs } = dependencies
  takeAnyBody(app)
  // A hook, so that errors before the handler have the header too.
  app.addHook('onSend', async (_request, reply) => {
    sayTusVersion(reply)
  })

  /**
   * "The Server MAY include bytes of the upload in the POST": appends the body before the response. A failure
   * removes the upload, because the client has no URL to resume it.
   */
  const takeBody = async (
    request: FastifyRequest,
    reply: FastifyReply,
    bytes: ResumableUpload,
    giveUp: () => Promise<void>,
  ): Promise<void> => {
    if (!hasBody(request)) {
      reply.header('Upload-Expires', httpDate(new Date(Date.now() + expiryMs)))
      return
    }
    try {
      await appendTusBody(dependencies, request, reply, { bytes, offset: 0, length: null })
    } catch (error) {
      await giveUp()
      await bytes.staging().remove(bytes.stagingName)
      throw error
    }
  }

  const createPart = async (request: ProjectRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { accountId } = request.principal
    const { projectId } = request.params
    const sizeBytes = announcedLength(request, maxSizeBytes)
    checkQuota(await findProject(database.kysely, accountId, projectId), sizeBytes ?? 0)
    const metadata = headerOf(request, 'upload-metadata')
    parseUploadMetadata(metadata)
    const { token, row } = await insertPart(database.kysely, {
      accountId,
      projectId,
      sizeBytes,
      metadata,
      expiresAt: new Date(Date.now() + expiryMs),
    })
    await takeBody(request, reply, resumablePart(dependencies, row), () => deletePart(database.kysely, row))
    return reply.code(201).header('Location', uploadUri(dependencies, token)).send()
  }

  const createUpload = async (request: ProjectRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const words = {
      metadata: headerOf(request, 'upload-metadata'),
      concat: headerOf(request, 'upload-concat'),
    }
    const concat = parseConcat(words.concat)
    if (concat.is === 'partial') return createPart(request, reply)
    const { fileName, metadata, externalId } = parseUploadMetadata(words.metadata)
    const target = newFileTarget(dependencies, request.principal, request.params.projectId, {
      metadata,
      externalId,
    })
    if (concat.is === 'final') {
      const { file, uri } = await joinParts(dependencies, target, {
        fileName,
        checksum: null,
        sourceUri: null,
        tokens: concat.tokens,
        words,
      })
      return sendCreated(reply, file, uri, file.record)
    }
    const sizeBytes = announcedLength(request, maxSizeBytes)
    const opened = await openUpload(dependencies, target, {
      fileName,
      checksum: null,
      sourceUri: null,
      sizeBytes,
      tus: words,
    })
    await takeBody(request, reply, resumableFile(dependencies, opened.upload), () =>
      database.transaction((tx) => target.giveUp(tx, opened.file, opened.upload)),
    )
    const uri = uploadUri(dependencies, opened.token)
    const key = { accountId: opened.file.account_id, fileId: opened.file.id }
    const file = hasBody(request) ? await findMediaFile(database.kysely, key) : opened.file
    return sendCreated(reply, file, uri, withUploadLink(file.record, uri, opened.upload))
  }

  app.options(
    '/projects/:projectId/tus',
    { config: { permission: 'files:upload' }, schema: { hide: true, params } },
    async (_request, reply) => reply.headers(tusCapabilities(maxSizeBytes)).code(204).send(),
  )

  app.post(
    '/projects/:projectId/tus',
    {
      // Joining parts deletes their bytes, which a rollback would not bring back.
      config: { permission: 'files:upload', isLong: true },
      schema: {
        operationId: 'createTusUpload',
        tags: [tags.files],
        summary: 'Create a tus upload',
        description:
          'Creates a file for a tus 1.0 client (`endpoint` of Uppy and tus-js-client). Send `Tus-Resumable: 1.0.0` with `Upload-Length` or `Upload-Defer-Length: 1`. `Upload-Metadata` may contain filename, title, description, externalId, and metadata (JSON like `Metadata` of a file). `Location` is the upload URL: HEAD, PATCH and DELETE on it need no API key. Supported extensions: creation, creation-with-upload, creation-defer-length, expiration, checksum, termination, concatenation. Browsers should not hold API keys: create the file with JSON in your back end and pass `Upload.TusURI` to the browser.',
        params,
        headers: tusCreationHeaders,
        response: {
          ...responses(
            {
              status: 201,
              schema: schemaRef('CreatedFile'),
              description:
                'The file. `Location` is the upload URL. For an upload part (`Upload-Concat: partial`) the body is empty.',
            },
            404,
            409,
            413,
            507,
          ),
          ...errorResponses(412, 415, 460),
        },
      },
    },
    async (request, reply) => {
      try {
        checkTusVersion(request)
        if (methodOf(request) !== 'POST')
          throw new Problem(
            'method_not_allowed',
            { method: methodOf(request).slice(0, 20), allowed: 'POST' },
            { headers: { Allow: 'OPTIONS, POST' } },
          )
        if (hasBody(request) && !hasTusBody(request)) throw wrongBodyType()
        return await createUpload(request, reply)
      } catch (error) {
        abandonBody(request)
        throw error
      }
    },
  )
}
