import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Type, type Static, type TSchema } from 'typebox'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { jsonBodyOf } from '../../../platform/http/requests/json-body.ts'
import {
  binarySchema,
  jsonOrStreamedBody,
  type JsonOrBytes,
} from '../../../platform/http/requests/streamed-body.ts'
import { newId } from '../../../platform/base/ids.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import { finishUpload } from '../receive/finish-upload.ts'
import { nameFromDisposition } from '../form/content-disposition.ts'
import { openUpload, type UploadTarget } from '../receive/open-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'
import { receiveForm, type ReceivedForm } from '../form/receive-form.ts'
import { abandonBody, brokenOff, endWhenSilent } from '../receive/sender-connection.ts'

/** Content types whose body is the file itself. */
const rawTypes = /^(?:(?:video|audio)\/.+|application\/octet-stream\s*(?:;.*)?)$/i

/** Boundaries, part headers and metadata add to the size of the file. */
const formOverheadBytes = 2 * 1024 * 1024

export const acceptSources = async (app: HttpServer): Promise<void> => {
  await app.register(multipart, {
    // Reads every part as a stream, also the JSON, because the parser's own limits truncate without an error.
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts: 20, fileSize: Number.MAX_SAFE_INTEGER },
  })
  app.addContentTypeParser(rawTypes, (_request, payload, done) => done(null, payload))
}

/** Used when the operator sets no limit. */
const anySizeBytes = Number.MAX_SAFE_INTEGER
const sourceBytes = binarySchema(anySizeBytes, 'The bytes of the video or audio.')

/** Describes the bodies of these routes for openapi.json. `parts` are the form's parts beside the file. */
export const sourceBodies = <Json extends TSchema>(
  json: Json,
  parts: Readonly<Record<string, TSchema>> = {},
) =>
  jsonOrStreamedBody(json, {
    'multipart/form-data': Type.Object({ file: sourceBytes, ...parts }),
    'application/octet-stream': sourceBytes,
    'video/*': sourceBytes,
    'audio/*': sourceBytes,
  })

/** How a request brings the source: it announces it as JSON, or contains the bytes. */
type SourceBody<Json> = { readonly way: 'json'; readonly json: Json } | { readonly way: 'form' | 'raw' }

/** Distinguishes the body by its content type. Throws 'invalid' when the request has no body. */
export const sourceBodyOf = <Json>(
  request: FastifyRequest & { readonly body: JsonOrBytes<Json> },
): SourceBody<Json> => {
  if (request.isMultipart()) return { way: 'form' }
  if (rawTypes.test(request.headers['content-type'] ?? '')) return { way: 'raw' }
  const json = jsonBodyOf(request)
  if (json === null) throw new Problem('upload_body_missing')
  return { way: 'json', json }
}

export const rawQuery = Type.Object({
  fileName: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'File name for a raw body. You can also send it in `Content-Disposition`.',
    }),
  ),
})

type SourceRequest = FastifyRequest & {
  readonly params: { readonly projectId: number }
  readonly query: Static<typeof rawQuery>
}

/**
 * Handles requests that contain the bytes. Stages them first, on the disk of this node, and asks `targetFor` for their file afterwards,
 * so that a sender that disconnects leaves nothing behind. Returns the file once its bytes are durable.
 */
export const receiveSource = async (
  dependencies: ReceiveDependencies,
  request: SourceRequest,
  how: {
    readonly way: 'form' | 'raw'
    readonly targetFor: (form: Omit<ReceivedForm, 'fileName'>) => UploadTarget
    /** Throws before the transfer when the bytes would be refused anyway. */
    readonly checkFirst?: () => Promise<void>
  },
): Promise<MediaFileRow> => {
  const { projectId } = request.params
  const { accountId } = request.principal
  const { database, owner } = dependencies
  const staging = dependencies.stagings.disk
  endWhenSilent(request)
  const stagingName = newId()
  const stage = async (body: AsyncIterable<Buffer>): Promise<void> => {
    const { isWhole } = await staging.append(stagingName, body, {
      offset: 0,
      maxSizeBytes: dependencies.maxSizeBytes,
    })
    if (!isWhole) throw brokenOff()
  }
  try {
    const announcedBytes = Number(request.headers['content-length'] ?? 0)
    const overheadBytes = how.way === 'form' ? formOverheadBytes : 0
    const project = await findProject(database.kysely, accountId, projectId)
    // The bytes of the file itself are checked at the end.
    checkQuota(project, Math.max(1, announcedBytes - overheadBytes))
    if (announcedBytes > dependencies.maxSizeBytes + formOverheadBytes)
      throw new Problem('upload_too_large', { maxBytes: dependencies.maxSizeBytes })
    await how.checkFirst?.()
    const receive = how.way === 'form' ? receiveForm : receiveRawBody
    const { fileName, ...form } = await receive(request, stage)
    const sizeBytes = (await staging.sizeOf(stagingName)) ?? 0
    if (sizeBytes === 0) throw new Problem('upload_empty')
    const target = how.targetFor(form)
    const { file, upload } = await openUpload(dependencies, target, {
      fileName,
      checksum: null,
      sourceUri: null,
      sizeBytes,
      staged: { name: stagingName, stagedOn: owner.disk },
    })
    return await finishUpload(dependencies, upload).catch(async (error: unknown) => {
      await database.transaction((tx) => target.giveUp(tx, file, upload))
      throw error
    })
  } catch (error) {
    abandonBody(request)
    throw error
  } finally {
    await staging.remove(stagingName)
  }
}

const receiveRawBody = async (
  request: SourceRequest,
  stage: (body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReceivedForm> => {
  const { fileName } = request.query
  await stage(request.raw)
  return {
    fileName: fileName ?? nameFromDisposition(request.headers['content-disposition']),
    metadata: {},
    externalId: null,
  }
}
