import { Type, type Static } from 'typebox'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { MediaFileRow } from '../../../library/files/record/file-record.ts'
import { cleanFileName } from '../../../library/files/record/file-name.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ProjectRow } from '../../../library/projects/project-record.ts'
import { shareProject } from '../../../library/projects/project-locks.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { checkQuota } from '../../../library/projects/check-quota.ts'
import type { ReceiveDependencies } from './receive-bytes.ts'
import { insertUpload, type StagedPlace, type TusWords, type UploadRow } from '../store/upload-store.ts'

/** Fields about the bytes to follow, common to the JSON requests that create and replace a file. */
export const announcedSourceFields = {
  FileName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Name of the file. Required without `SourceURI`.',
      examples: ['interview.mp4'],
    }),
  ),
  SourceURI: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description:
        'HTTP or HTTPS URL from which Zoetrope fetches the source; the response then has no `Upload`. The record shows it without user, query and fragment, which may hold credentials.',
      examples: ['https://media.example.com/interview.mp4'],
    }),
  ),
  FileFormat: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Format of the file, for your information only. Zoetrope detects the format from the bytes.',
    }),
  ),
  FileSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Size of the file in bytes. May be left out if unknown.',
    }),
  ),
  Checksum: Type.Optional(
    Type.String({
      maxLength: 71,
      pattern: '^(sha256:)?[0-9a-fA-F]{64}$',
      description:
        'SHA-256 of the file in hex, with or without "sha256:". An upload with another checksum fails.',
      examples: ['sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    }),
  ),
}

const announcedSource = Type.Object(announcedSourceFields)
export type AnnouncedSource = Static<typeof announcedSource>

export interface IncomingSource {
  /** Null when the sender did not send one. */
  readonly fileName: string | null
  /** `sha256:<hex>` if the sender sent a checksum. */
  readonly checksum: string | null
  /** Address to fetch the source from, without secrets; null for an upload. */
  readonly sourceUri: string | null
}

/** File of an upload: a new one that is created with it, or an existing one that gets a new source. */
export interface UploadTarget {
  readonly principal: Principal
  readonly projectId: number
  /**
   * Runs in the transaction that writes the upload, which shares the project. Throws when the bytes
   * cannot be accepted.
   */
  readonly open: (tx: Tx, project: ProjectRow, source: IncomingSource) => Promise<MediaFileRow>
  readonly isNewSource: boolean
  /** Reverts `open` when a request with the bytes could not complete: no URL exists to finish them later. */
  readonly giveUp: (tx: Tx, file: MediaFileRow, upload: UploadRow) => Promise<void>
}

export interface Opened {
  readonly file: MediaFileRow
  readonly upload: UploadRow
  readonly token: string
}

export const checksumOf = ({ Checksum }: AnnouncedSource): string | null =>
  Checksum === undefined ? null : `sha256:${Checksum.replace(/^sha256:/, '').toLowerCase()}`

export const openUpload = (
  dependencies: ReceiveDependencies,
  target: UploadTarget,
  source: IncomingSource & {
    readonly sizeBytes: number | null
    readonly staged?: StagedPlace
    readonly tus?: TusWords
    readonly onOpened?: (tx: Tx, opened: Opened) => Promise<void>
  },
): Promise<Opened> =>
  dependencies.database.transaction(async (tx) => {
    const project = await shareProject(tx, target.principal.accountId, target.projectId)
    checkQuota(project, source.sizeBytes ?? 0)
    const fileName = source.fileName === null ? null : cleanFileName(source.fileName)
    const file = await target.open(tx, project, {
      fileName,
      checksum: source.checksum,
      sourceUri: source.sourceUri,
    })
    const { token, row } = await insertUpload(tx, {
      accountId: file.account_id,
      fileId: file.id,
      sizeBytes: source.sizeBytes,
      checksum: source.checksum,
      expiresAt: new Date(Date.now() + dependencies.expiryMs),
      ...(source.staged === undefined ? {} : { staged: source.staged }),
      ...(source.tus === undefined ? {} : { tus: source.tus }),
      ...(target.isNewSource ? { newSourceName: fileName ?? file.original_file_name } : {}),
    })
    const opened = { file, upload: row, token }
    await source.onOpened?.(tx, opened)
    return opened
  })

export const uploadUri = ({ publicUrl }: Pick<ReceiveDependencies, 'publicUrl'>, token: string): string =>
  `${publicUrl}/uploads/${token}`

/** Handles the JSON request: returns the record with the URL for the bytes. */
export const openAnnouncedUpload = async (
  dependencies: ReceiveDependencies,
  target: UploadTarget,
  body: AnnouncedSource,
): Promise<{ readonly file: MediaFileRow; readonly uri: string; readonly body: string }> => {
  if (body.FileName === undefined) throw invalidField('FileName', 'file_name_required')
  if (body.FileSize !== undefined && body.FileSize > dependencies.maxSizeBytes)
    throw new Problem('upload_too_large', { maxBytes: dependencies.maxSizeBytes })
  const { file, upload, token } = await openUpload(dependencies, target, {
    fileName: body.FileName,
    checksum: checksumOf(body),
    sourceUri: null,
    sizeBytes: body.FileSize ?? null,
  })
  const uri = uploadUri(dependencies, token)
  return { file, uri, body: withUploadLink(file.record, uri, upload) }
}

export const withUploadLink = (record: string, uri: string, upload: UploadRow): string => {
  const link = JSON.stringify({ URI: uri, TusURI: uri, ExpiresAt: toTimestamp(upload.expires_at) })
  return `${record.slice(0, -1)},"Upload":${link}}`
}
