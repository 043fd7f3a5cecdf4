import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, UpdatedAt } from './columns.ts'

export interface NewCaption {
  readonly language: string
  readonly kind: 'subtitles' | 'captions'
  readonly label: string
  readonly publicId: string
  readonly blob: string
  readonly sizeBytes: number
}

export interface FileCaptionsTable {
  id: GeneratedAlways<number>
  account_id: number
  file_id: number
  language: string
  kind: 'subtitles' | 'captions' | 'chapters'
  label: string
  is_default: Generated<boolean>
  public_id: string
  caption_blob: string
  size_bytes: number
  origin: Generated<'upload' | 'source'>
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export interface CaptionTables {
  file_captions: FileCaptionsTable
}
