import type { EventName } from '@zoetrope/vocabulary'
import { sql, type Updateable } from 'kysely'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { MediaFilesTable } from '../../../platform/db/tables/files.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { emit } from '../../../platform/outbox/outbox.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { countInProject } from '../../projects/project-counts.ts'
import type { ProjectRow } from '../../projects/project-record.ts'
import { encoderSettingsOf, metadataFieldsOf } from '../../projects/project-record.ts'
import {
  applyMetadata,
  checkMayPublish,
  emptyMetadata,
  readMetadataRules,
  type FileMetadata,
  type MetadataWrite,
} from './file-metadata.ts'
import { checkRecordSize } from './check-record-size.ts'
import { claimFileExternalId } from './file-external-id.ts'
import { titleFromFileName } from './file-name.ts'
import { releaseOf, withReleaseEvent } from './file-release.ts'
import { renderMediaFile, type MediaFileRow } from './file-record.ts'
import type { FileCaptionRow } from './parts/caption-record.ts'
import type { FilePictureRow } from './parts/picture-record.ts'
import type { RenditionRow } from './parts/rendition-record.ts'

export interface FileKey {
  readonly accountId: number
  readonly fileId: number
  /** When given, a file that has moved to another project is not found. */
  readonly projectId?: number
}

export const fileNotFound = (fileId: number, projectId?: number): Problem =>
  projectId === undefined
    ? new Problem('file_not_found', { fileId })
    : new Problem('file_not_found_in_project', { fileId, projectId })

/** Returns the blob prefix of a file; ends with a slash. */
export const fileBlobPrefix = (file: Pick<MediaFileRow, 'account_id' | 'project_id' | 'id'>): string =>
  blobPrefixOf({ accountId: file.account_id, projectId: file.project_id, fileId: file.id })

export const blobPrefixOf = (key: FileKey & { readonly projectId: number }): string =>
  `a${key.accountId}/p${key.projectId}/f${key.fileId}/`

/** Returns the blob prefixes of a file in its project and in those that it was in before. */
export const blobPrefixesOf = (
  key: FileKey & { readonly projectId: number },
  formerProjectIds: readonly number[],
): string[] =>
  [...new Set([key.projectId, ...formerProjectIds])].map((projectId) => blobPrefixOf({ ...key, projectId }))

export interface NewMediaFile {
  /** The creator, whose permission to publish is checked. Null for recordings. */
  readonly principal: Principal | null
  readonly originalFileName: string
  /** ExternalId; null for recordings. */
  readonly externalId: string | null
  /** Values that a clip takes over. They are not checked again: the fields of the project may have changed since. */
  readonly inherited?: Partial<FileMetadata>
  readonly metadata: MetadataWrite
  readonly useEncoding: boolean | undefined
  readonly encodingPriority: number | undefined
  readonly checksum: string | null
  /** URL to fetch the source from; null when a client uploads it. */
  readonly sourceUri: string | null
  /** Absent: `url` with a `sourceUri`, `upload` without. */
  readonly sourceKind?: 'clip' | 'recording'
}

export const clearedMetadata = (project: ProjectRow, originalFileName: string) =>
  emptyMetadata(
    titleFromFileName(originalFileName),
    project.default_release_status,
    metadataFieldsOf(project),
  )

/**
 * Inserts a file in state `created`, counts it and emits `file.created`. The caller shares the project.
 */
export const insertMediaFile = async (
  tx: Tx,
  publicUrl: string,
  project: ProjectRow,
  input: NewMediaFile,
): Promise<MediaFileRow> => {
  const settings = encoderSettingsOf(project)
  const cleared = clearedMetadata(project, input.originalFileName)
  const rules = await readMetadataRules(tx, project, input.metadata, { at: 'Metadata.' })
  const metadata = applyMetadata({ ...cleared, ...input.inherited }, input.metadata, cleared, rules)
  const byDefault = { ...metadata, ReleaseStatus: cleared.ReleaseStatus }
  // Anyone who may upload may create a file less public than by default.
  if (input.principal !== null && metadata.ReleaseStatus === 'published')
    checkMayPublish(input.principal, project.id, byDefault, metadata)
  if (input.externalId !== null) await claimFileExternalId(tx, project.id, null, input.externalId)
  const inserted = await tx
    .insertInto('media_files')
    .values({
      account_id: project.account_id,
      project_id: project.id,
      external_id: input.externalId,
      original_file_name: input.originalFileName,
      use_encoding: input.useEncoding ?? settings.UseEncoding,
      encoding_priority: input.encodingPriority ?? settings.EncodingPriority,
      ladder_mode: settings.LadderMode,
      metadata: JSON.stringify(metadata),
      checksum: input.checksum,
      source_kind: input.sourceKind ?? (input.sourceUri === null ? 'upload' : 'url'),
      source_uri: input.sourceUri,
      created_by: input.principal?.userId ?? null,
    })
    .returning(['id'])
    .executeTakeFirstOrThrow()
  await countInProject(tx, project.id, { files: 1 })
  return changeMediaFile(tx, publicUrl, { accountId: project.account_id, fileId: inserted.id }, () => ({
    set: {},
    events: ['file.created'],
    isWritten: true,
  }))
}

export interface FileChange {
  readonly set: Omit<
    Updateable<MediaFilesTable>,
    | 'id'
    | 'record'
    | 'version'
    | 'edited_version'
    | 'watched_version'
    | 'event_sequence'
    | 'updated_at'
    | 'is_released'
    | 'release_changes_at'
  >
  readonly events?: readonly EventName[]
  /** True for changes by a client, for which the size of the record is checked. */
  readonly isWritten?: true
  /** True for changes of rungs on demand, which `LastUpdateAt` and `If-Match` do not count. */
  readonly isByViewers?: true
}

/**
 * `live`: files that clients see. `any-project`: also files of a deleted project that are not deleted yet.
 * `deleted`: files that can be restored.
 */
type Reach = 'live' | 'any-project' | 'deleted'

/**
 * Returns the row, locked until the transaction ends. Callers that count share the project first, as everywhere. Throws
 * 'not_found'.
 */
export const lockMediaFile = async (tx: Tx, key: FileKey, reach: Reach = 'live'): Promise<MediaFileRow> => {
  const row = await tx
    .selectFrom('media_files')
    .selectAll()
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.fileId)
    .$if(key.projectId !== undefined, (query) => query.where('project_id', '=', key.projectId ?? 0))
    .where('deleted_at', reach === 'deleted' ? 'is not' : 'is', null)
    .$if(reach === 'deleted', (query) => query.where('purging_at', 'is', null))
    .$if(reach === 'live', (query) => query.where(isOfLiveProject))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) throw fileNotFound(key.fileId, key.projectId)
  return row
}

/** Returns the fields that decide whether viewers can load the file. */
const afterChange = (before: MediaFileRow, { state, deleted_at, metadata }: FileChange['set']) => ({
  state: state ?? before.state,
  deleted_at: deleted_at === undefined ? before.deleted_at : deleted_at,
  metadata: typeof metadata === 'string' ? (JSON.parse(metadata) as unknown) : before.metadata,
})

/** Returns the projects that an event is sent for: a move is an event of both projects. */
const placesOf = (name: EventName, before: MediaFileRow, { project_id }: FileChange['set']): number[] => {
  const projectId = project_id ?? before.project_id
  return name === 'file.moved' ? [before.project_id, projectId] : [projectId]
}

/** Returns the oldest version since which only rungs on demand have changed. */
export const oldestUnchanged = ({
  version,
  edited_version: edited,
  watched_version: watched,
}: Pick<MediaFileRow, 'version' | 'edited_version' | 'watched_version'>): number =>
  watched === version && edited !== null ? edited : version

/**
 * Changes a file: locks the row, applies the decision of `decide`, renders the record and emits the events in
 * the caller's transaction. Emits nothing for 'unchanged'. Also emits `file.released` or `file.unreleased`
 * when the change affects whether viewers can load the file. All changes use this function. Throws
 * 'not_found' when the file is deleted.
 */
export const changeMediaFile = async (
  tx: Tx,
  publicUrl: string,
  key: FileKey,
  decide: (file: MediaFileRow) => FileChange | 'unchanged',
  reach: Reach = 'live',
): Promise<MediaFileRow> => {
  const before = await lockMediaFile(tx, key, reach)
  const decided = decide(before)
  if (decided === 'unchanged') return before
  const { set, isWritten, isByViewers } = decided
  const now = new Date()
  const { isReleased, changesAt } = releaseOf(afterChange(before, set), now)
  const events = withReleaseEvent(decided.events ?? [], before.is_released, isReleased).flatMap((name) =>
    placesOf(name, before, set).map((projectId) => ({ name, projectId })),
  )
  const changed = await tx
    .updateTable('media_files')
    .set({
      ...set,
      version: before.version + 1,
      ...(isByViewers === true
        ? { edited_version: oldestUnchanged(before), watched_version: before.version + 1 }
        : { updated_at: now }),
      event_sequence: before.event_sequence + events.length,
      is_released: isReleased,
      release_changes_at: changesAt,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const renditions = await renditionsOf(tx, before.id)
  const picture = await standardPictureOf(tx, before.id)
  const captions = await captionsOf(tx, before.id)
  const recordWith = (shown: readonly RenditionRow[]): string =>
    renderMediaFile(changed, shown, picture, captions, publicUrl)
  const record = recordWith(renditions)
  if (isWritten === true) checkRecordSize(before.record, record, () => recordWith([]))
  await tx.updateTable('media_files').set({ record }).where('id', '=', before.id).execute()
  for (const [index, { name, projectId }] of events.entries())
    await emit(tx, {
      accountId: before.account_id,
      projectId,
      fileId: before.id,
      name,
      sequence: before.event_sequence + index + 1,
      subject: 'File',
      record,
    })
  return { ...changed, record }
}

/**
 * SQL condition for files of live projects. A deleted project hides its files at once; a job deletes the
 * files afterwards.
 */
export const isOfLiveProject = sql<boolean>`exists (
  select from projects where projects.id = media_files.project_id and projects.deleted_at is null)`

/**
 * SQL condition for deleted files. A file that was deleted with its project stays while the project is being
 * restored. If the project is deleted again before this reaches the file, it stays until the project is purged.
 */
export const mayBePurged = sql<boolean>`(
  not media_files.is_deleted_with_project or exists (
    select from projects where projects.id = media_files.project_id
      and (projects.deleted_at <= media_files.deleted_at or projects.purge_at <= now())
  )
)`

/**
 * Returns whether the purge of a file has begun. The purge does not see blobs that are stored after its start. Call
 * this after storing a blob, and delete the blob if the result is true.
 */
export const isPurged = async (queryable: Queryable, fileId: number): Promise<boolean> => {
  const file = await queryable
    .selectFrom('media_files')
    .select('purging_at')
    .where('id', '=', fileId)
    .executeTakeFirst()
  return file === undefined || file.purging_at !== null
}

/** Returns the playable renditions of the current or the given revision, oldest first. */
export const renditionsOf = (
  queryable: Queryable,
  fileId: number,
  revision?: number,
): Promise<RenditionRow[]> =>
  queryable
    .selectFrom('renditions')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('state', '!=', 'encoding')
    .where('generation', '=', (query) =>
      revision === undefined
        ? query.selectFrom('media_files').select('generation').where('id', '=', fileId)
        : query.val(revision),
    )
    .orderBy('id')
    .execute()

/** Returns the captions by language, in the order of the player menu. */
export const captionsOf = (queryable: Queryable, fileId: number): Promise<FileCaptionRow[]> =>
  queryable
    .selectFrom('file_captions')
    .selectAll()
    .where('file_id', '=', fileId)
    .orderBy('language')
    .orderBy('kind')
    .execute()

const standardPictureOf = async (queryable: Queryable, fileId: number): Promise<FilePictureRow | null> =>
  (await queryable
    .selectFrom('file_pictures')
    .selectAll()
    .where('file_id', '=', fileId)
    .where('is_standard', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? null

/**
 * Returns a live file of a live project. Throws 'not_found' for deleted files and those of other accounts or
 * projects alike.
 */
export const findMediaFile = async (queryable: Queryable, key: FileKey): Promise<MediaFileRow> => {
  const row = await queryable
    .selectFrom('media_files')
    .selectAll()
    .where('account_id', '=', key.accountId)
    .where('id', '=', key.fileId)
    .where('deleted_at', 'is', null)
    .where(isOfLiveProject)
    .$if(key.projectId !== undefined, (query) => query.where('project_id', '=', key.projectId ?? 0))
    .executeTakeFirst()
  if (row === undefined) throw fileNotFound(key.fileId, key.projectId)
  return row
}

/** Replaces the public URL in every record. Runs once, at start, when the URL has changed. */
export const moveRecordsToPublicUrl = async (
  queryable: Queryable,
  from: string,
  to: string,
): Promise<void> => {
  const quoted = (url: string) => JSON.stringify(`${url}/`).slice(0, -1)
  await queryable
    .updateTable('media_files')
    .set((set) => ({
      record: set.fn<string>('replace', ['record', set.val(quoted(from)), set.val(quoted(to))]),
      version: set('version', '+', 1),
    }))
    .execute()
}
