import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'
import {
  receiveUpload,
  uploadProgress,
  type ReceiveDependencies,
  type UploadProgress,
} from './receive-upload.ts'
import { findUpload, type UploadRow } from './upload-store.ts'

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'PUT, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, Content-Range',
  'Access-Control-Expose-Headers': 'Upload-Offset, Upload-Length, X-Request-Id',
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

/** A sender that says nothing for so long is gone; without an end it would keep its connection and the upload's lock. */
const silenceMs = 120_000

export const endWhenSilent = (request: FastifyRequest): void => {
  request.raw.setTimeout(silenceMs, () => request.raw.destroy())
}

/**
 * After a refusal in the middle of a body: the rest is let go by, so that the sender comes to read the answer, and the connection is not
 * used again.
 */
export const abandonBody = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.raw.complete) return
  reply.header('Connection', 'close')
  request.raw.unpipe()
  request.raw.resume()
}

/**
 * Upload URLs: the URL itself is the credential, so a browser or phone uploads without an API key, from any origin. Registered in a scope of
 * its own, because bodies of any type are taken as streams here.
 */
export const registerUploadRoutes = (app: FastifyInstance, dependencies: ReceiveDependencies): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(corsHeaders)
  })

  const uploadOf = async (request: FastifyRequest): Promise<UploadRow> => {
    const { token } = request.params as { token: string }
    const upload = await findUpload(dependencies.database.kysely, token)
    if (upload === null || (upload.completed_at === null && upload.expires_at.getTime() < Date.now()))
      throw new Problem('not_found', 'This upload does not exist, or it has expired; create the file anew.')
    return upload
  }

  app.options('/uploads/:token', { schema: { hide: true } }, async (_request, reply) =>
    reply.code(204).send(),
  )

  app.head('/uploads/:token', { schema: { hide: true } }, async (request, reply) =>
    sendProgress(reply, await uploadProgress(dependencies, await uploadOf(request))),
  )

  app.put('/uploads/:token', { schema: { hide: true } }, async (request, reply) => {
    const upload = await uploadOf(request)
    const length = request.headers['content-length']
    endWhenSilent(request)
    const progress = await receiveUpload(dependencies, upload, {
      stream: request.raw,
      contentLength: length === undefined ? null : Number(length),
      contentRange: request.headers['content-range'] ?? null,
      cancel: () => request.raw.destroy(),
    }).catch((error: unknown) => {
      abandonBody(request, reply)
      throw error
    })
    return sendProgress(reply, progress)
  })
}
