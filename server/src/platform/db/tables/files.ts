import type { MessageParams } from '@zoetrope/vocabulary'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { NewCaption } from './captions.ts'
import type { CreatedAt, DefaultedJsonColumn, JsonColumn, UpdatedAt } from './columns.ts'
import type { FileStoryboard, NewPoster } from './pictures.ts'

export type MediaFileState =
  | 'created'
  | 'uploaded'
  | 'encoding'
  | 'playable'
  | 'finished'
  | 'failed'
  | 'degraded'

/** Whether all rungs are encoded after the upload, or when viewers request them. */
export type LadderMode = 'eager' | 'on-demand' | 'auto'

export interface NewSource {
  readonly blob: string
  readonly sizeBytes: number
  readonly fileName: string
  readonly checksum: string | null
  readonly uploadedAt: string
  /** URI that the source was fetched from; absent when it was uploaded. */
  readonly uri?: string | null
  /** Absent for an uploaded or fetched source; `uri` distinguishes the two. */
  readonly kind?: 'clip' | 'recording'
}

/** Pending revision of a file, which is processed while the current revision stays playable. */
export interface PendingRevision {
  readonly generation: number
  /** Null when the current source is processed again. */
  readonly source: NewSource | null
  readonly properties: Record<string, unknown> | null
  readonly poster: NewPoster | null
  /** Captions in the new source; absent until the worker has read them. */
  readonly captions?: readonly NewCaption[]
  readonly warnings?: readonly FileWarning[]
}

/** A part of the source that viewers do not get. */
export interface FileWarning {
  readonly Code: 'subtitles_not_converted' | 'subtitles_left_out' | 'closed_captions_not_converted'
  readonly Message: string
  /** Absent in warnings of older releases. */
  readonly Reason?: string
  readonly Params?: MessageParams
}

export interface MediaFilesTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  /** Projects that the file was in before, whose folders of the blob store may still hold media of it. */
  former_project_ids: Generated<number[]>
  external_id: string | null
  state: Generated<MediaFileState>
  original_file_name: string
  use_encoding: boolean
  /** LadderMode of the project when the file was created. */
  ladder_mode: Generated<LadderMode>
  encoding_priority: number
  encoding_progress: Generated<number>
  estimated_ready_at: Date | null
  error_message: string | null
  error_reason: string | null
  error_params: JsonColumn<MessageParams | null>
  metadata: JsonColumn<Record<string, unknown>>
  properties: JsonColumn<Record<string, unknown> | null>
  checksum: string | null
  source_kind: Generated<'upload' | 'url' | 'recording' | 'clip'>
  source_uri: string | null
  source_blob: string | null
  source_size_bytes: number | null
  source_removed_at: Date | null
  playout_id: Generated<string>
  uploaded_at: Date | null
  playable_at: Date | null
  encoded_at: Date | null
  announced_at: Date | null
  storage_bytes: Generated<number>
  event_sequence: Generated<number>
  version: Generated<number>
  record: Generated<string>
  created_at: CreatedAt
  updated_at: UpdatedAt
  deleted_at: Date | null
  purge_at: Date | null
  purging_at: Date | null
  is_deleted_with_project: Generated<boolean>
  created_by: number | null
  /** The number of the current revision. The columns keep the names of their first release. */
  generation: Generated<number>
  last_generation: Generated<number>
  /** The pending revision. */
  rework: ColumnType<PendingRevision | null, never, string | null>
  /** Staging name of the in-flight upload that plays. */
  arriving_upload: string | null
  storyboard: ColumnType<FileStoryboard | null, never, string | null>
  is_released: Generated<boolean>
  release_changes_at: Date | null
  warnings: DefaultedJsonColumn<readonly FileWarning[]>
  captions_read_of: string | null
  /** If `watched_version` is the current version: the oldest version since which only rungs on demand have changed. */
  edited_version: number | null
  /** Version that the last change of rungs on demand has made. */
  watched_version: number | null
}

/** Triggers on `media_files` maintain this table: never write it. */
interface FileListTable {
  account_id: number
  project_id: number
  file_id: number
  version: number
  changed_in: Generated<string>
  state: MediaFileState
  release_status: string
  use_encoding: boolean
  is_deleted: boolean
  created_at: Date
  updated_at: Date
  title: string
  length: number
  size: number
  terms: string
  external_id: string | null
}

interface FileBlocksTable {
  project_id: number
  block: number
  file_count: number
}

/** Counts that housekeeping has yet to add to file_blocks. */
interface FileBlockCountsTable {
  id: GeneratedAlways<number>
  account_id: number
  project_id: number
  block: number
  file_count: number
}

interface ClipsTable {
  file_id: number
  account_id: number
  source_blob: string
  start_seconds: number
  end_seconds: number
  attempt: Generated<number>
}

/** The garbage list. The table keeps the name of its first release. */
interface GarbageListTable {
  id: GeneratedAlways<number>
  account_id: number
  file_id: number
  generation: number | null
  blobs: string[]
  remove_after: Date
}

interface MediaMovesTable {
  file_id: number
  account_id: number
  disk: Generated<string>
  run: string
  blobs: string[]
}

export interface FileTables {
  media_files: MediaFilesTable
  file_list: FileListTable
  file_blocks: FileBlocksTable
  file_block_counts: FileBlockCountsTable
  clips: ClipsTable
  discarded_media: GarbageListTable
  media_moves: MediaMovesTable
}
