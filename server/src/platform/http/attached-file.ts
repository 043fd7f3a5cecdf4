import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'

export interface AttachedFile {
  readonly bytes: Buffer
  /** The other parts of a form, as text. */
  readonly fields: ReadonlyMap<string, string>
}

interface Limit {
  readonly maxBytes: number
  /** The limit in the error message, such as `5 MB`. */
  readonly maxText: string
}

const fieldLimit: Limit = { maxBytes: 4_096, maxText: '4 KiB' }
const silenceMs = 30_000

/** Lets the routes of this scope accept forms, and raw bodies of these types, as streams. */
export const acceptAttachedFiles = async (app: FastifyInstance, rawTypes: RegExp): Promise<void> => {
  await app.register(multipart, {
    // Reads every part as a stream, because the parser's own limits truncate without an error.
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts: 20, fileSize: Number.MAX_SAFE_INTEGER },
  })
  app.addContentTypeParser(rawTypes, (_request, payload, done) => done(null, payload))
}

const tooLarge = (part: string | null, { maxText }: Limit): Problem =>
  part === null
    ? new Problem('attachment_too_large', { limit: maxText })
    : new Problem('form_part_too_large', { part, limit: maxText })

const readAll = async (stream: Readable, part: string | null, limit: Limit): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Keeps the stream of an oversized body open: the sender still has to read the response.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    sizeBytes += (chunk as Buffer).length
    if (sizeBytes > limit.maxBytes) throw tooLarge(part, limit)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const readField = async (stream: Readable, name: string): Promise<string> => {
  const bytes = await readAll(stream, name.slice(0, 40), fieldLimit)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('form_part_not_utf8', { part: name.slice(0, 40) })
  }
}

/** Errors of the form parser have no code or one of the parser; errors of the server have a system code. */
const isFormFault = (error: unknown): error is Error => {
  const { code } = error as { code?: string }
  return (
    error instanceof Error && !(error instanceof Problem) && (code === undefined || code.startsWith('FST_'))
  )
}

const readForm = async (request: FastifyRequest, limit: Limit): Promise<AttachedFile> => {
  let bytes: Buffer | null = null
  const fields = new Map<string, string>()
  for await (const part of request.files()) {
    if (part.fieldname !== 'file') fields.set(part.fieldname, await readField(part.file, part.fieldname))
    else if (bytes !== null) throw new Problem('form_file_repeated')
    else bytes = await readAll(part.file, 'file', limit)
  }
  if (bytes === null) throw new Problem('form_file_missing')
  return { bytes, fields }
}

/**
 * Returns null for a JSON body. Throws 'too_large', and 'invalid' for a broken form or one without a file.
 */
export const readAttachedFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  limit: Limit,
): Promise<AttachedFile | null> => {
  const isForm = request.isMultipart()
  const { body } = request
  if (!isForm && !(body instanceof Readable)) return null
  // The request drops its socket when it is aborted.
  const { socket } = request.raw
  const breakOff = (): void => {
    request.raw.destroy()
  }
  socket.setTimeout(silenceMs).once('timeout', breakOff)
  try {
    if (!(body instanceof Readable)) return await readForm(request, limit)
    return { bytes: await readAll(body, null, limit), fields: new Map() }
  } catch (error) {
    if (!request.raw.complete) {
      // Drains the rest, so that the sender reads the response, and closes the connection afterwards.
      reply.header('Connection', 'close')
      request.raw.unpipe()
      request.raw.resume()
    }
    if (isForm && isFormFault(error))
      throw new Problem('form_broken', { message: error.message }, { cause: error })
    if ((error as { code?: string }).code === 'ECONNRESET')
      throw new Problem('connection_lost', {}, { cause: error })
    throw error
  } finally {
    // The timeout ends with the body.
    socket.setTimeout(0).off('timeout', breakOff)
  }
}
