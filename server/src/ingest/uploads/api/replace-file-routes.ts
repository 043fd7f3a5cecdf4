import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { checkUnchanged } from '../../../library/files/api/check-unchanged.ts'
import { errorColumns } from '../../../library/files/record/file-error.ts'
import { checkMayEdit } from '../../../library/files/record/file-access.ts'
import { isBeingProcessed } from '../../../library/files/change/file-revisions.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import {
  changeMediaFile,
  findMediaFile,
  lockMediaFile,
} from '../../../library/files/record/media-file-store.ts'
import { withdrawInFlightUpload } from '../../../library/files/change/withdraw-in-flight-upload.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { recordEtag, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { announcedSourceFields, openAnnouncedUpload, type UploadTarget } from '../receive/open-upload.ts'
import { rawQuery, receiveSource, sourceBodies, sourceBodyOf } from './receive-source.ts'
import { openPull, type OpenPullDependencies } from '../pull/open-pull.ts'
import { giveUpUploads } from '../store/upload-store.ts'

const fileParams = Type.Object({ projectId: idSchema, fileId: idSchema })

type FileRequest = FastifyRequest & { readonly params: Static<typeof fileParams> }

/** Fields that a new file takes with its source, but an existing one only through its own operations. */
const fieldsOfOthers = ['ExternalId', 'Metadata', 'UseEncoding', 'EncodingPriority']

const replaceFileSchema = Type.Object(announcedSourceFields, {
  description: 'The new source. Its bytes follow to the upload URL in the response.',
  examples: [{ FileName: 'interview-final.mp4', FileSize: 51_002_318 }],
})

const checkMayBegin = (file: MediaFileRow): void => {
  if (isBeingProcessed(file)) throw new Problem('file_processing', { fileId: file.id, state: file.state })
}

/** Must be registered in a scope that streams request bodies (`acceptSources`). */
export const registerReplaceFileRoutes = (app: HttpServer, dependencies: OpenPullDependencies): void => {
  const { database, publicUrl } = dependencies

  const existingFile = (request: FileRequest): UploadTarget => {
    const { projectId, fileId } = request.params
    const key = { accountId: request.principal.accountId, fileId, projectId }
    return {
      principal: request.principal,
      projectId,
      isNewSource: true,
      open: async (tx, _project, { checksum, sourceUri }) => {
        const file = await lockMediaFile(tx, key)
        checkMayEdit(request.principal, file)
        checkUnchanged(request, file)
        checkMayBegin(file)
        await giveUpUploads(tx, file)
        await withdrawInFlightUpload(tx, publicUrl, file)
        // A file without media describes the expected source in its own row.
        if (file.source_blob !== null) return file
        return changeMediaFile(tx, publicUrl, key, (before) => ({
          set: {
            checksum,
            source_kind: sourceUri === null ? 'upload' : 'url',
            source_uri: sourceUri,
            // A failed import starts again.
            ...(before.state === 'failed' ? { state: 'created', ...errorColumns(null) } : {}),
          },
        }))
      },
      giveUp: (tx, file, { staging_name }) => giveUpUploads(tx, file, { stagingName: staging_name }),
    }
  }

  /** Rejects the request before the body is received. `open` repeats these checks under a lock. */
  const checkBeforeBytes = async (request: FileRequest): Promise<void> => {
    const { projectId, fileId } = request.params
    const file = await findMediaFile(database.kysely, {
      accountId: request.principal.accountId,
      fileId,
      projectId,
    })
    checkMayEdit(request.principal, file)
    checkUnchanged(request, file)
    checkMayBegin(file)
  }

  app.put(
    '/projects/:projectId/files/:fileId/replace',
    {
      config: { permission: 'files:upload', fieldsOfOthers },
      schema: {
        operationId: 'replaceFile',
        tags: [tags.files],
        summary: 'Replace the source of a file',
        description:
          'Replaces the media of a file and keeps its Id and playout URLs. Send the new source in the same ways as an upload: with a JSON body the response has an upload URL, or `SourceURI` is fetched; multipart/form-data (part `file`) and raw bodies contain the bytes. Metadata and manually chosen pictures stay: `Metadata`, `ExternalId`, `UseEncoding` and `EncodingPriority` in the request change nothing, so change them with `PUT …/files/{fileId}`. The old version keeps playing until the new one is encoded; then `file.replaced` is sent. If the new source cannot be used, the old version keeps playing and the file is `degraded` with an `ErrorMessage`. A later replacement cancels one whose upload is incomplete. Returns 409 while the file is being processed. Requires files:upload, and files:write for files that other users created.',
        params: fileParams,
        querystring: rawQuery,
        body: sourceBodies(replaceFileSchema),
        response: responses(
          {
            status: 200,
            schema: schemaRef('CreatedFile'),
            description:
              'The file as it plays now. For a JSON request without `SourceURI`, `Upload` says where to send the bytes.',
          },
          404,
          409,
          412,
          413,
          507,
        ),
      },
    },
    async (request, reply) => {
      const source = sourceBodyOf(request)
      if (source.way === 'json') {
        const announced = source.json
        if (announced.SourceURI !== undefined) {
          const { SourceURI } = announced
          const file = await openPull(dependencies, existingFile(request), { ...announced, SourceURI })
          return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
        }
        const { file, body } = await openAnnouncedUpload(dependencies, existingFile(request), announced)
        return sendJson(request, reply, body, recordEtag(file.id, file.version))
      }
      const file = await receiveSource(dependencies, request, {
        way: source.way,
        targetFor: ({ metadata, externalId }) => {
          const ignored = [
            ...(Object.keys(metadata).length > 0 ? ['Metadata'] : []),
            ...(externalId === null ? [] : ['ExternalId']),
          ]
          if (ignored.length > 0) reply.header('X-Ignored-Fields', ignored.join(', '))
          return existingFile(request)
        },
        checkFirst: () => checkBeforeBytes(request),
      })
      return sendJson(request, reply, file.record, recordEtag(file.id, file.version))
    },
  )
}
