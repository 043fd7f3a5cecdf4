import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { newId } from '../../../platform/base/ids.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import { finishUpload, holdUpload } from '../receive/finish-upload.ts'
import { receivedOfPart, stagedBytesOfPart } from '../receive/resumable-part.ts'
import { openUpload, uploadUri, type IncomingSource, type UploadTarget } from '../receive/open-upload.ts'
import type { ReceiveDependencies } from '../receive/receive-bytes.ts'
import { stagedOnS3, stagingOf } from '../store/stagings.ts'
import { deletePart, findPart, type UploadPartRow } from '../store/upload-part-store.ts'
import type { StagedPlace, TusWords } from '../store/upload-store.ts'
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

/** Parts on the disk of a node and in the bucket cannot be joined; a change of the setting separates them. */
const placeOf = ({ stagings, owner }: ReceiveDependencies, parts: readonly UploadPartRow[]): StagedPlace => {
  const places = new Set(parts.map(({ staged_on }) => staged_on))
  if (places.size > 1) throw new Problem('upload_on_other_node', {}, { headers: { 'Retry-After': '5' } })
  const [stagedOn] = places
  return { name: newId(), stagedOn: stagedOn ?? (stagings.present === 's3' ? stagedOnS3 : owner.disk) }
}

/** The parts stay until the file has its source, so that a crash loses nothing. */
export const joinParts = async (
  dependencies: ReceiveDependencies,
  target: UploadTarget,
  source: IncomingSource & { readonly tokens: readonly string[]; readonly words: TusWords },
): Promise<{ readonly file: MediaFileRow; readonly uri: string }> => {
  const { database, stagings, maxSizeBytes } = dependencies
  const project = await findProject(database.kysely, target.principal.accountId, target.projectId)
  const parts = await findParts(dependencies, target, source.tokens)
  const sizeBytes = parts.reduce((sum, part) => sum + (part.size_bytes ?? 0), 0)
  if (sizeBytes > maxSizeBytes) throw tooLarge(maxSizeBytes)
  checkQuota(project, sizeBytes)
  const staged = placeOf(dependencies, parts)
  const staging = stagingOf(stagings, staged.stagedOn)
  const { fileName, checksum, sourceUri, words } = source
  const opened = await openUpload(dependencies, target, {
    fileName,
    checksum,
    sourceUri,
    sizeBytes,
    staged,
    tus: words,
  })
  const join = async (): Promise<MediaFileRow> => {
    await staging.join(staged.name, parts.map(stagedBytesOfPart), maxSizeBytes)
    if ((await staging.sizeOf(staged.name)) !== sizeBytes) throw new Problem('upload_part_deleted')
    return finishUpload(dependencies, opened.upload)
  }
  const giveUp = async (error: unknown): Promise<never> => {
    await database.transaction((tx) => target.giveUp(tx, opened.file, opened.upload))
    await staging.remove(staged.name)
    throw error
  }
  const file = await holdUpload(dependencies, opened.upload, () => {}, join).catch(giveUp)
  const remove = async (part: UploadPartRow): Promise<void> => {
    await staging.remove(part.staging_name)
    await deletePart(database.kysely, part)
  }
  // The file has its bytes. Parts that cannot be removed now expire, and are removed then.
  for (const part of parts) await remove(part).catch(() => {})
  return { file, uri: uploadUri(dependencies, opened.token) }
}
