import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'

/** A small file that came as a form's part `file` or as the raw body, in memory. */
export interface AttachedFile {
  readonly bytes: Buffer
  /** The other parts of a form, as text. */
  readonly fields: ReadonlyMap<string, string>
}

interface Limit {
  readonly maxBytes: number
  /** For the sentence that refuses: `5 MB`. */
  readonly maxText: string
}

const fieldLimit: Limit = { maxBytes: 4_096, maxText: '4 KiB' }
const silenceMs = 30_000

/** Lets the routes of this scope take forms, and raw bodies of these types, as streams. */
export const acceptAttachedFiles = async (app: FastifyInstance, rawTypes: RegExp): Promise<void> => {
  await app.register(multipart, {
    // Every part is read as a stream: the parser's own limits cut off silently, ours say so.
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { parts: 20, fileSize: Number.MAX_SAFE_INTEGER },
  })
  app.addContentTypeParser(rawTypes, (_request, payload, done) => done(null, payload))
}

const readAll = async (stream: Readable, name: string, limit: Limit): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Not destroyed when it is too long: the sender is still to read the answer.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    sizeBytes += (chunk as Buffer).length
    if (sizeBytes > limit.maxBytes) throw new Problem('too_large', `${name} is larger than ${limit.maxText}.`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

const readField = async (stream: Readable, name: string): Promise<string> => {
  const bytes = await readAll(stream, `The part "${name.slice(0, 40)}"`, fieldLimit)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('invalid', `The part "${name.slice(0, 40)}" is not UTF-8.`)
  }
}

/** What the form parser throws has either no code or one of its own; faults of ours have the system's. */
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
    else if (bytes !== null)
      throw new Problem('invalid', 'The form has two parts "file"; send one file per request.')
    else bytes = await readAll(part.file, 'The part "file"', limit)
  }
  if (bytes === null) throw new Problem('invalid', 'The form has no part "file"; put the bytes there.')
  return { bytes, fields }
}

/** Null where the body is JSON. Throws 'too_large', and 'invalid' for a form that is broken or has no file. */
export const readAttachedFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  limit: Limit,
): Promise<AttachedFile | null> => {
  const isForm = request.isMultipart()
  const { body } = request
  const isRaw = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
  if (!isForm && !isRaw) return null
  // The request forgets its socket when it is broken off.
  const { socket } = request.raw
  const breakOff = (): void => {
    request.raw.destroy()
  }
  socket.setTimeout(silenceMs).once('timeout', breakOff)
  try {
    if (isForm) return await readForm(request, limit)
    return {
      bytes: await readAll(body as Readable, 'The body', limit),
      fields: new Map(),
    }
  } catch (error) {
    if (!request.raw.complete) {
      // The rest is let go by, so that the sender comes to read the answer, and the connection is not used again.
      reply.header('Connection', 'close')
      request.raw.unpipe()
      request.raw.resume()
    }
    if (isForm && isFormFault(error))
      throw new Problem('invalid', `The multipart form is broken: ${error.message}.`, { cause: error })
    // The sender went away.
    if ((error as { code?: string }).code === 'ECONNRESET')
      throw new Problem('timeout', 'The connection broke off before the end of the body.', { cause: error })
    throw error
  } finally {
    // What follows may take its time.
    socket.setTimeout(0).off('timeout', breakOff)
  }
}
