import type { MetadataWrite } from '../../../library/files/record/file-metadata.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { parseExternalId } from '../../../library/projects/external-id.ts'
import { parseMetadata } from '../form/receive-form.ts'
import { decodeBase64 } from './tus-protocol.ts'

export interface TusMetadata {
  /** Null when the sender did not send one. */
  readonly fileName: string | null
  readonly metadata: MetadataWrite
  readonly externalId: string | null
}

const field = 'Upload-Metadata'

/**
 * "One or more comma-separated key-value pairs. The key and value MUST be separated by a space. The key MUST NOT contain spaces and commas and
 * MUST NOT be empty. The value MUST be Base64 encoded. All keys MUST be unique. The value MAY be empty."
 */
const parsePairs = (header: string): Map<string, string> => {
  const pairs = new Map<string, string>()
  for (const pair of header.split(',')) {
    const [key = '', encoded = '', ...more] = pair.trim().split(' ')
    const value = decodeBase64(encoded)
    if (!/^[\x21-\x7e]+$/.test(key) || more.length > 0) throw invalidField(field, 'upload_metadata_malformed')
    if (value === null) throw invalidField(field, 'upload_metadata_not_base64', { key: key.slice(0, 40) })
    const name = key.toLowerCase()
    if (pairs.has(name)) throw invalidField(field, 'upload_metadata_key_repeated', { key: key.slice(0, 40) })
    pairs.set(name, value.toString('utf8'))
  }
  return pairs
}

/**
 * Keys: `filename` (Uppy also sends `name`), `title`, `description`, `externalId`, and `metadata`, which is
 * JSON like the part `Metadata` of a form. HEAD returns the other keys of clients, which are otherwise
 * ignored.
 */
export const parseUploadMetadata = (header: string | null): TusMetadata => {
  if (header === null || header === '') return { fileName: null, metadata: {}, externalId: null }
  const pairs = parsePairs(header)
  const json = pairs.get('metadata')
  const fields: Record<string, unknown> = json === undefined ? {} : { ...parseMetadata(Buffer.from(json)) }
  const title = pairs.get('title')
  const description = pairs.get('description')
  if (title !== undefined) fields['Title'] ??= title
  if (description !== undefined) fields['Description'] ??= description
  const externalId = pairs.get('externalid') ?? ''
  const fileName = pairs.get('filename') ?? pairs.get('name') ?? ''
  return {
    fileName: fileName === '' ? null : fileName.slice(0, 1_000),
    // Parses again, because the texts must satisfy the limits of JSON metadata.
    metadata: parseMetadata(Buffer.from(JSON.stringify(fields))),
    externalId: externalId === '' ? null : parseExternalId(externalId, 'Upload-Metadata externalId'),
  }
}
