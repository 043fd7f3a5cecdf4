import type { Selectable } from 'kysely'
import type { MediaFilesTable } from '../../../platform/db/tables/files.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import { emptyMetadata, type FileMetadata } from './file-metadata.ts'
import { storedFileName } from './file-name.ts'
import { captionRecord, type FileCaptionRow } from './parts/caption-record.ts'
import { propertyOrder, type FileProperties } from './parts/file-properties.ts'
import { flagsOf } from './parts/file-state.ts'
import { mp4DownloadOf } from './parts/mp4-download.ts'
import { pictureRecord, type FilePictureRow } from './parts/picture-record.ts'
import { extraPlayoutLinks, hasDash, hasStoryboard, playoutUris } from './parts/playout-record.ts'
import { renderRendition, type RenditionRow } from './parts/rendition-record.ts'

export type MediaFileRow = Selectable<MediaFilesTable>

/** Returns the source URI. The row of a clip stores it without the public URL, which may change. */
const sourceUri = ({ source_kind, source_uri }: MediaFileRow, publicUrl: string): string | null =>
  source_kind === 'clip' && source_uri !== null ? `${publicUrl}${source_uri}` : source_uri

const metadataOrder = Object.keys(emptyMetadata('', 'draft', [])) as (keyof FileMetadata)[]

/** Restores the field order, which jsonb does not keep, so that records are stable to read. */
const inOrder = <T extends object>(value: T, order: readonly (keyof T)[]): T =>
  Object.fromEntries(order.map((key) => [key, value[key]])) as T

/** Whether the source is still being fetched; the error message then explains the last failed attempt. */
const isFetched = (file: MediaFileRow): boolean => file.state === 'created' && file.source_blob === null

/**
 * Renders a `media_files` row as JSON: the only renderer, so REST responses and webhook payloads are
 * identical.
 */
export const renderMediaFile = (
  file: MediaFileRow,
  renditions: readonly RenditionRow[],
  standardPicture: FilePictureRow | null,
  captions: readonly FileCaptionRow[],
  publicUrl: string,
): string => {
  const flags = flagsOf[file.state]
  const uris = playoutUris(publicUrl, file.playout_id)
  const hasError = flags.hasErrors || isFetched(file)
  return JSON.stringify({
    Id: file.id,
    ProjectId: file.project_id,
    ExternalId: file.external_id,
    Name: storedFileName(file.project_id, file.id, file.original_file_name),
    Status: file.state,
    IsFinished: flags.isFinished,
    IsEncoded: flags.isEncoded,
    IsPlayable: flags.isEncoded,
    IsEnabled: file.deleted_at === null,
    UseEncoding: file.use_encoding,
    EncodingPriority: file.encoding_priority,
    EncodingProgress: file.encoding_progress,
    EstimatedReadyAt: flags.isFinished ? null : toTimestampOrNull(file.estimated_ready_at),
    HasErrors: flags.hasErrors,
    ErrorMessage: hasError ? file.error_message : null,
    Metadata: {
      StandardFilePicture: standardPicture === null ? null : pictureRecord(standardPicture, publicUrl),
      ...inOrder(file.metadata as unknown as FileMetadata, metadataOrder),
      OriginalFileName: file.original_file_name,
    },
    Properties:
      file.properties === null ? null : inOrder(file.properties as unknown as FileProperties, propertyOrder),
    Renditions: renditions.map(renderRendition),
    Playouts: [
      {
        Id: file.playout_id,
        Label: 'Default',
        IsDefault: true,
        HLS: flags.isEncoded ? uris.hls : null,
        DASH: flags.isEncoded && hasDash(renditions) ? uris.dash : null,
        MP4: flags.isEncoded && mp4DownloadOf(renditions) !== null ? uris.mp4 : null,
        EmbedURI: flags.isEncoded ? uris.embed : null,
        Storyboard: hasStoryboard(file) ? uris.storyboard : null,
        ...extraPlayoutLinks(file, renditions, uris),
      },
    ],
    Captions: captions.map((caption) => captionRecord(caption, file, publicUrl)),
    Checksum: file.checksum,
    Source: { Kind: file.source_kind, URI: sourceUri(file, publicUrl) },
    CreatedBy: file.created_by,
    Timings: {
      UploadedAt: toTimestampOrNull(file.uploaded_at),
      PlayableAt: toTimestampOrNull(file.playable_at),
      EncodedAt: toTimestampOrNull(file.encoded_at),
    },
    CreatedAt: toTimestamp(file.created_at),
    LastUpdateAt: toTimestamp(file.updated_at),
    DeletedAt: toTimestampOrNull(file.deleted_at),
    PurgeAt: toTimestampOrNull(file.purge_at),
    Warnings: file.warnings,
    ErrorReason: hasError ? file.error_reason : null,
    ErrorParams: hasError ? file.error_params : null,
    LadderMode: file.ladder_mode,
  })
}
