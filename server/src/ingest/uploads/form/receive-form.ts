import type { FastifyRequest } from 'fastify'
import { metadataWriteSchema, type MetadataWrite } from '../../../library/files/record/file-metadata.ts'
import { parseJsonBody } from '../../../platform/http/requests/json-body.ts'
import { createJsonCheck } from '../../../platform/http/requests/request-validators.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { parseExternalId } from '../../../library/projects/external-id.ts'
import { brokenOff } from '../receive/sender-connection.ts'
import { isSenderGone } from '../store/staging.ts'

const metadataLimitBytes = 1024 * 1024
const checkMetadata = createJsonCheck(metadataWriteSchema, 'Metadata')

export interface ReceivedForm {
  /** Null when the sender did not send one. */
  readonly fileName: string | null
  readonly metadata: MetadataWrite
  readonly externalId: string | null
}

const readPart = async (name: string, part: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of part) {
    sizeBytes += chunk.length
    if (sizeBytes > metadataLimitBytes)
      throw new Problem('form_part_too_large', { part: name, limit: '1 MiB' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const parseMetadataJson = (bytes: Buffer): Record<string, unknown> | undefined => {
  try {
    return parseJsonBody(bytes)
  } catch (error) {
    // The body as a whole is a form or a header of tus, so the texts about JSON bodies would mislead.
    if (!(error instanceof Problem)) throw error
    if (error.reason === 'body_not_json')
      throw invalidField('Metadata', 'not_json', { message: error.params['message'] ?? '' })
    if (error.reason === 'body_not_object')
      throw invalidField('Metadata', 'not_accepted', { expected: 'an object' })
    throw error
  }
}

export const parseMetadata = (bytes: Buffer): MetadataWrite => {
  const parsed = parseMetadataJson(bytes) ?? {}
  checkMetadata(parsed)
  return parsed
}

/**
 * Errors of the form parser have no code or one of the parser; errors of the server (the disk) have a system
 * code.
 */
const isFormFault = (error: unknown): error is Error => {
  const { code } = error as { code?: string }
  return (
    error instanceof Error && !(error instanceof Problem) && (code === undefined || code.startsWith('FST_'))
  )
}

/**
 * RFC 7578: a part `file`, passed to `takeFile` as it arrives, and optional parts `Metadata` (JSON) and
 * `ExternalId` (text), sent as fields or as blobs. Ignores other parts. Throws 'invalid' for a broken form,
 * or one without exactly one file.
 */
export const receiveForm = async (
  request: FastifyRequest,
  takeFile: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReceivedForm> => {
  let file: { readonly name: string | null } | null = null
  let metadata: MetadataWrite = {}
  let externalId: string | null = null
  try {
    for await (const part of request.files()) {
      if (part.fieldname === 'Metadata') metadata = parseMetadata(await readPart('Metadata', part.file))
      else if (part.fieldname === 'ExternalId')
        externalId = parseExternalId((await readPart('ExternalId', part.file)).toString('utf8'), 'ExternalId')
      else if (part.fieldname !== 'file') part.file.resume()
      else if (file !== null) throw new Problem('form_file_repeated')
      else {
        await takeFile(part.file)
        file = { name: part.filename ?? null }
      }
    }
  } catch (error) {
    if (isSenderGone(error)) throw brokenOff(error)
    if (isFormFault(error)) throw new Problem('form_broken', { message: error.message }, { cause: error })
    throw error
  }
  if (file === null) throw new Problem('form_file_missing')
  return { fileName: file.name, metadata, externalId }
}
