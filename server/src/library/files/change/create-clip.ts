import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { checkQuota } from '../../projects/check-quota.ts'
import { openClip } from '../media/clips.ts'
import type { FileMetadata, MetadataWrite } from '../record/file-metadata.ts'
import { cleanFileName } from '../record/file-name.ts'
import { refreshReferences } from '../record/file-references.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import type { FileProperties } from '../record/parts/file-properties.ts'
import { isPlayableState } from '../record/parts/file-state.ts'
import { lockFileInProject } from '../record/lock-file-in-project.ts'
import { findMediaFile, insertMediaFile, renditionsOf, type FileKey } from '../record/media-file-store.ts'

export interface ClipRequest {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly fileName: string | undefined
  readonly externalId: string | null
  readonly metadata: MetadataWrite
}

/**
 * Returns the metadata that a clip inherits. Its publication is decided separately, so release status and
 * window are left out.
 */
const inheritedMetadata = async (tx: Tx, source: MediaFileRow): Promise<Partial<FileMetadata>> => {
  const {
    ReleaseStatus: _status,
    IsPublicAt: _at,
    IsPublicUntil: _until,
    ...rest
  } = source.metadata as unknown as FileMetadata
  // A job has yet to remove catalog entries that were deleted just now.
  return { ...rest, ...(await refreshReferences(tx, source.account_id, source.id)) }
}

/**
 * Returns the source blob. Throws 'conflict' when there is no source to cut, and 'invalid' for a range
 * outside the video.
 */
const checkRange = (
  source: Pick<MediaFileRow, 'id' | 'state' | 'source_blob' | 'source_removed_at' | 'properties'>,
  { startSeconds, endSeconds }: ClipRequest,
): string => {
  const lengthSeconds = (source.properties as FileProperties | null)?.Length ?? null
  const isOver = source.state === 'finished' || source.state === 'degraded'
  if (!isPlayableState(source.state) || lengthSeconds === null || (source.source_blob === null && !isOver))
    throw source.state === 'failed'
      ? new Problem('clip_of_failed_file', { fileId: source.id })
      : new Problem('clip_source_processing', { fileId: source.id, state: source.state })
  if (source.source_blob === null || source.source_removed_at !== null)
    throw new Problem('clip_source_not_stored', { fileId: source.id })
  if (endSeconds <= startSeconds) throw invalidField('EndTime', 'not_later_than', { other: 'StartTime' })
  if (endSeconds > lengthSeconds)
    throw invalidField('EndTime', 'beyond_end_of_file', { seconds: lengthSeconds })
  return source.source_blob
}

/** Creates a file whose source a worker cuts from another file. */
export const createClip = async (
  tx: Tx,
  { jobs, publicUrl }: { readonly jobs: Jobs; readonly publicUrl: string },
  principal: Principal,
  key: FileKey & { readonly projectId: number },
  request: ClipRequest,
): Promise<MediaFileRow> => {
  // Under this lock no transaction deletes the source before the row of the clip protects it.
  const project = await lockFileInProject(tx, key)
  const source = await findMediaFile(tx, key)
  const sourceBlob = checkRange(source, request)
  // The size is unknown until the clip is cut; this only rejects clips when the quota is used up.
  checkQuota(project, 1)
  // A remux of the source can be cut more exactly.
  const passthrough = (await renditionsOf(tx, source.id)).find(({ delivery }) => delivery === 'in_place')
  const { startSeconds, endSeconds } = request
  const file = await insertMediaFile(tx, publicUrl, project, {
    principal,
    originalFileName: cleanFileName(request.fileName ?? source.original_file_name),
    externalId: request.externalId,
    inherited: {
      ...(await inheritedMetadata(tx, source)),
      // The default of the project must not show viewers a part of what they may not see.
      ...(!source.is_released &&
        project.default_release_status === 'published' && { ReleaseStatus: 'unpublished' }),
    },
    metadata: request.metadata,
    useEncoding: source.use_encoding,
    encodingPriority: source.encoding_priority,
    checksum: null,
    sourceUri: clipUri(source, request),
    sourceKind: 'clip',
  })
  await openClip(tx, jobs, file, {
    sourceBlob: passthrough?.media_blob ?? sourceBlob,
    startSeconds,
    endSeconds,
  })
  return file
}

/**
 * URI of the clipped part (Media Fragments URI 1.0, 4.2.1), without the public URL, which the record adds.
 */
const clipUri = (
  { project_id, id }: Pick<MediaFileRow, 'project_id' | 'id'>,
  { startSeconds, endSeconds }: ClipRequest,
): string => `/v3/projects/${project_id}/files/${id}#t=${startSeconds},${endSeconds}`
