import { createReadStream } from 'node:fs'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { newId } from '../../../platform/base/ids.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import { finishUpload } from '../receive/finish-upload.ts'
import { receivedOfPart } from '../receive/resumable-part.ts'
import { openUpload, uploadUri, type IncomingSource, type UploadTarget } from '../receive/open-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'
import type { Staging } from '../store/staging.ts'
import { deletePart, findPart, type UploadPartRow } from '../store/upload-part-store.ts'
import type { TusWords } from '../store/upload-store.ts'
import { tooLarge } from './tus-requests.ts'

const header = 'Upload-Concat'

export type Concat =
  | { readonly is: 'whole' }
  | { readonly is: 'partial' }
  | { readonly is: 'final'; readonly tokens: readonly string[] }

/**
 * "`partial`, or `final;` followed by a space-separated list of partial upload URLs", which may be absolute
 * or relative.
 */
export const parseConcat = (value: string | null): Concat => {
  if (value === null) return { is: 'whole' }
  if (value === 'partial') return { is: 'partial' }
  const list = /^final;(.+)$/.exec(value)?.[1]?.trim().split(/ +/)
  const tokens = list?.map((uri) => /\/uploads\/([A-Za-z0-9_-]+)$/.exec(uri)?.[1] ?? '')
  if (tokens === undefined || tokens.includes('')) throw invalidField(header, 'upload_concat_malformed')
  const repeated = tokens.findIndex((token, index) => tokens.indexOf(token) < index)
  if (repeated >= 0) throw invalidField(header, 'repeated_upload_part', { number: repeated + 1 })
  return { is: 'final', tokens }
}

/** Returns the parts in order; all must be complete and of this project. */
const findParts = async (
  dependencies: ReceiveDependencies,
  { principal, projectId }: UploadTarget,
  tokens: readonly string[],
): Promise<UploadPartRow[]> => {
  const parts: UploadPartRow[] = []
  for (const [index, token] of tokens.entries()) {
    const part = await findPart(dependencies.database.kysely, token)
    if (part === null || part.account_id !== principal.accountId || part.project_id !== projectId)
      throw invalidField(header, 'unknown_upload_part', { number: index + 1 })
    if ((await receivedOfPart(dependencies, part)) !== part.size_bytes)
      throw invalidField(header, 'incomplete_upload_part', { number: index + 1 })
    parts.push(part)
  }
  return parts
}

async function* bytesOf(staging: Staging, parts: readonly UploadPartRow[]): AsyncGenerator<Buffer> {
  for (const { staging_name } of parts)
    yield* createReadStream(staging.path(staging_name), { highWaterMark: 1024 * 1024 })
}

/**
 * Concatenates copies of the parts. The parts stay until the file has its source, so that a crash loses
 * nothing.
 */
const stageParts = async (
  { staging, maxSizeBytes }: ReceiveDependencies,
  parts: readonly UploadPartRow[],
  sizeBytes: number,
): Promise<string> => {
  const stagingName = newId()
  const removed = new Problem('upload_part_deleted')
  try {
    const joined = await staging.append(stagingName, bytesOf(staging, parts), { offset: 0, maxSizeBytes })
    if (joined.sizeBytes !== sizeBytes) throw removed
    return stagingName
  } catch (error) {
    await staging.remove(stagingName)
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? removed : error
  }
}

export const joinParts = async (
  dependencies: ReceiveDependencies,
  target: UploadTarget,
  source: IncomingSource & { readonly tokens: readonly string[]; readonly words: TusWords },
): Promise<{ readonly file: MediaFileRow; readonly uri: string }> => {
  const { database, staging, maxSizeBytes } = dependencies
  const project = await findProject(database.kysely, target.principal.accountId, target.projectId)
  const parts = await findParts(dependencies, target, source.tokens)
  const sizeBytes = parts.reduce((sum, part) => sum + (part.size_bytes ?? 0), 0)
  if (sizeBytes > maxSizeBytes) throw tooLarge(maxSizeBytes)
  checkQuota(project, sizeBytes)
  const stagingName = await stageParts(dependencies, parts, sizeBytes)
  try {
    const { fileName, checksum, sourceUri, words } = source
    const opened = await openUpload(dependencies, target, {
      fileName,
      checksum,
      sourceUri,
      sizeBytes,
      stagingName,
      tus: words,
    })
    const file = await finishUpload(dependencies, opened.upload).catch(async (error: unknown) => {
      await database.transaction((tx) => target.giveUp(tx, opened.file, opened.upload))
      throw error
    })
    for (const part of parts) {
      await deletePart(database.kysely, part)
      await staging.remove(part.staging_name)
    }
    return { file, uri: uploadUri(dependencies, opened.token) }
  } finally {
    await staging.remove(stagingName)
  }
}
