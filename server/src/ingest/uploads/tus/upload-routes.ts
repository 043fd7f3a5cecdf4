import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { passCause } from '../../../platform/http/requests/pass-cause.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { resumableFile } from '../receive/resumable-file.ts'
import { planPut } from '../put/plan-put.ts'
import {
  currentProgress,
  receiveBytes,
  type ReceiveDependencies,
  type UploadProgress,
} from '../receive/receive-bytes.ts'
import { abandonBody, bodyOf, endWhenSilent } from '../receive/sender-connection.ts'
import { takeAnyBody } from './take-any-body.ts'
import { checkTusVersion, contentLengthOf, headerOf, methodOf, tusCapabilities } from './tus-protocol.ts'
import { answerDelete, answerHead, answerPatch, sayTusVersion } from './tus-requests.ts'
import { findTusTarget, type TusTarget } from './tus-target.ts'
import { uploadOperations, uploadParams } from './upload-operations.ts'
import { findUpload, type UploadRow } from '../store/upload-store.ts'

const methods = ['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Content-Range, Tus-Resumable, Upload-Checksum, Upload-Concat, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Request-ID, X-Requested-With',
  'Access-Control-Expose-Headers':
    'Location, Retry-After, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Concat, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id',
  'Access-Control-Max-Age': '86400',
} as const

const sendProgress = (reply: FastifyReply, progress: UploadProgress): FastifyReply =>
  reply
    .header('Upload-Offset', String(progress.offset))
    .header('Cache-Control', 'no-store')
    .headers(progress.sizeBytes === null ? {} : { 'Upload-Length': String(progress.sizeBytes) })
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({ Offset: progress.offset, Size: progress.sizeBytes, IsComplete: progress.isComplete }),
    )

const notFound = (): Problem => new Problem('upload_not_found')

type UploadRequest = FastifyRequest & { readonly params: Static<typeof uploadParams> }

/**
 * Registers upload URLs. The URL is the credential, so browsers and phones upload from any origin without an
 * API key. Upload URLs accept PUT, whole or in chunks, and tus. They need their own scope, because bodies of
 * any type are streams.
 */
export const registerUploadRoutes = (app: HttpServer, dependencies: ReceiveDependencies): void => {
  takeAnyBody(app)
  passCause(app)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(corsHeaders)
  })

  const uploadOf = async (request: UploadRequest): Promise<UploadRow> => {
    const upload = await findUpload(dependencies.database.kysely, request.params.token)
    if (upload === null || (upload.completed_at === null && upload.expires_at.getTime() < Date.now()))
      throw notFound()
    return upload
  }

  const tusTargetOf = async (request: UploadRequest, reply: FastifyReply): Promise<TusTarget> => {
    sayTusVersion(reply)
    try {
      checkTusVersion(request)
      const target = await findTusTarget(dependencies, request.params.token)
      if (target === null) throw notFound()
      return target
    } catch (error) {
      abandonBody(request)
      throw error
    }
  }

  const answerPut = async (request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      const upload = await uploadOf(request)
      const headers = {
        contentLength: contentLengthOf(request),
        contentRange: headerOf(request, 'content-range'),
      }
      endWhenSilent(request)
      const body = { ...bodyOf(request), checksum: null }
      const progress = await receiveBytes(
        dependencies,
        resumableFile(dependencies, upload),
        body,
        (bytes, received) => planPut(bytes, received, headers),
      )
      return sendProgress(reply, progress)
    } catch (error) {
      abandonBody(request)
      throw error
    }
  }

  const answerPlainHead = async (request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const bytes = resumableFile(dependencies, await uploadOf(request))
    return sendProgress(reply, await currentProgress(dependencies, bytes, { isTakeover: false }))
  }

  const handler = async (request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> => {
    switch (methodOf(request)) {
      case 'OPTIONS':
        return reply.headers(tusCapabilities(dependencies.maxSizeBytes)).code(204).send()
      case 'HEAD':
        if (headerOf(request, 'tus-resumable') === null) return answerPlainHead(request, reply)
        return answerHead(dependencies, reply, await tusTargetOf(request, reply))
      case 'PATCH':
        return answerPatch(dependencies, request, reply, await tusTargetOf(request, reply))
      case 'DELETE':
        return answerDelete(reply, await tusTargetOf(request, reply))
      case 'PUT':
        return answerPut(request, reply)
      default: {
        const allow = methods.filter((method) => method !== 'POST').join(', ')
        abandonBody(request)
        throw new Problem(
          'method_not_allowed',
          { method: request.method, allowed: allow },
          { headers: { Allow: allow } },
        )
      }
    }
  }

  for (const method of methods)
    app.route({
      method,
      url: '/uploads/:token',
      // POST only carries the method in X-HTTP-Method-Override.
      schema: method === 'POST' ? { hide: true, params: uploadParams } : uploadOperations[method],
      // The handler validates headers and body by the protocol in use.
      validatorCompiler: () => () => true,
      config: { swagger: { exposeHeadRoute: true }, isForOverrides: method === 'POST' },
      handler,
    })
}
