import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../platform/base/problem.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import {
  currentProgress,
  offsetConflict,
  receiveBytes,
  type BodyPlan,
  type ReceiveDependencies,
  type UploadProgress,
} from '../receive/receive-bytes.ts'
import { abandonBody, bodyOf, endWhenSilent } from '../receive/sender-connection.ts'
import {
  checksumOf,
  contentLengthOf,
  hasTusBody,
  httpDate,
  integerHeader,
  tusVersion,
  wrongBodyType,
} from './tus-protocol.ts'
import type { TusTarget } from './tus-target.ts'

export const tooLarge = (maxSizeBytes: number): Problem =>
  new Problem('upload_too_large', { maxBytes: maxSizeBytes })

interface PatchHeaders {
  readonly offset: number
  readonly length: number | null
  readonly contentLength: number | null
}

/**
 * "If the offsets do not match, the Server MUST respond with the 409 Conflict status without modifying the upload resource." "Once it is set
 * the length MUST NOT be changed." Pure.
 */
export const planPatch = (
  { sizeBytes: knownBytes, isComplete }: Pick<ResumableUpload, 'sizeBytes' | 'isComplete'>,
  received: number,
  { offset, length, contentLength }: PatchHeaders,
): BodyPlan => {
  if (length !== null && knownBytes !== null && length !== knownBytes)
    throw new Problem('upload_length_fixed', { uploadBytes: knownBytes })
  if (offset !== received) throw offsetConflict(received)
  const sizeBytes = knownBytes ?? length
  if (sizeBytes !== null && sizeBytes < received)
    throw new Problem('upload_length_too_small', { uploadLength: sizeBytes, receivedBytes: received })
  if (sizeBytes !== null && contentLength !== null && offset + contentLength > sizeBytes)
    throw new Problem('upload_length_exceeded', { uploadBytes: sizeBytes })
  // A crash may have moved all bytes away before the upload was complete.
  if (isComplete || offset === knownBytes) return { isNothingNew: true, sizeBytes }
  const end = sizeBytes ?? (contentLength === null ? null : offset + contentLength)
  return { offset, skipBytes: 0, end, sizeBytes, isLast: false }
}

/** "The Server MUST include the Upload-Expires header in every PATCH response if the upload is going to expire." */
const expiryOf = (expiresAt: Date, { isComplete }: UploadProgress): Record<string, string> =>
  isComplete ? {} : { 'Upload-Expires': httpDate(expiresAt) }

export const appendTusBody = async (
  dependencies: ReceiveDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  append: { readonly bytes: ResumableUpload; readonly offset: number; readonly length: number | null },
): Promise<UploadProgress> => {
  endWhenSilent(request)
  const { bytes, offset, length } = append
  try {
    const body = { ...bodyOf(request), checksum: checksumOf(request) }
    const contentLength = contentLengthOf(request)
    const progress = await receiveBytes(dependencies, bytes, body, (now, received) =>
      planPatch(now, received, { offset, length, contentLength }),
    )
    reply
      .header('Upload-Offset', String(progress.offset))
      .headers(expiryOf(new Date(Date.now() + dependencies.expiryMs), progress))
    return progress
  } catch (error) {
    abandonBody(request)
    throw error
  }
}

/** "The Server MUST acknowledge successful PATCH requests with the 204 No Content status. It MUST include the Upload-Offset header." */
export const answerPatch = async (
  dependencies: ReceiveDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  target: TusTarget,
): Promise<FastifyReply> => {
  if (!hasTusBody(request)) {
    abandonBody(request)
    throw wrongBodyType()
  }
  const offset = integerHeader(request, 'Upload-Offset')
  if (offset === null || target.isFinal) {
    abandonBody(request)
    throw offset === null ? new Problem('upload_offset_missing') : new Problem('upload_made_of_parts')
  }
  const length = integerHeader(request, 'Upload-Length')
  if (length !== null && length > dependencies.maxSizeBytes) {
    abandonBody(request)
    throw tooLarge(dependencies.maxSizeBytes)
  }
  await appendTusBody(dependencies, request, reply, { bytes: target.bytes, offset, length })
  return reply.code(204).send()
}

/** "The Server MUST always include the Upload-Offset header in the response for a HEAD request, even if the offset is 0." */
export const answerHead = async (
  dependencies: ReceiveDependencies,
  reply: FastifyReply,
  { bytes, words, expiresAt }: TusTarget,
): Promise<FastifyReply> => {
  const progress = await currentProgress(dependencies, bytes, { isTakeover: true })
  return reply
    .headers({
      'Upload-Offset': String(progress.offset),
      ...(progress.sizeBytes === null
        ? { 'Upload-Defer-Length': '1' }
        : { 'Upload-Length': String(progress.sizeBytes) }),
      ...(words.metadata === null ? {} : { 'Upload-Metadata': words.metadata }),
      ...(words.concat === null ? {} : { 'Upload-Concat': words.concat }),
      ...expiryOf(expiresAt, progress),
      'Cache-Control': 'no-store',
    })
    .code(200)
    .send()
}

/** "The Server MUST respond with the 204 No Content status. For all future requests to this URL it SHOULD respond with 404 or 410." */
export const answerDelete = async (reply: FastifyReply, target: TusTarget): Promise<FastifyReply> => {
  await target.terminate()
  return reply.code(204).send()
}

/** "The Tus-Resumable header MUST be included in every response except for OPTIONS." */
export const sayTusVersion = (reply: FastifyReply): void => {
  reply.header('Tus-Resumable', tusVersion)
}
