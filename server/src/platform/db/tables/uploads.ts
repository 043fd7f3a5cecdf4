import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, UpdatedAt } from './columns.ts'

export interface UploadsTable {
  token_hash: Buffer
  account_id: number
  file_id: number
  staging_name: Generated<string>
  size_bytes: number | null
  checksum: string | null
  file_name: string | null
  source_name: Generated<string>
  created_at: CreatedAt
  expires_at: Date
  completed_at: Date | null
  unchecked_after: number | null
  tus_metadata: string | null
  tus_concat: string | null
  staged_on: string | null
  staged_by: string | null
  look_at_bytes: Generated<number | null>
}

export interface UploadPartsTable {
  token_hash: Buffer
  account_id: number
  project_id: number
  staging_name: string
  size_bytes: number | null
  unchecked_after: number | null
  tus_metadata: string | null
  staged_on: string | null
  staged_by: string | null
  created_at: CreatedAt
  expires_at: Date
}

export interface PullsTable {
  id: GeneratedAlways<number>
  account_id: number
  file_id: number
  upload_token_hash: Buffer
  sealed_uri: Buffer
  expected_bytes: number | null
  is_named: boolean
  validator: string | null
  attempt: Generated<number>
  claim: string | null
  fruitless_attempts: Generated<number>
  begun_at: UpdatedAt
}

/** Bytes of an unfinished upload in the S3 bucket. */
export interface StagedUploadsTable {
  staging_name: string
  account_id: number
  blob: string
  multipart_id: string | null
  part_bytes: number | null
  size_bytes: Generated<number>
  last_part: Generated<number>
  sha256_state: Buffer | null
  epoch: Generated<number>
  holder: string | null
  leased_until: Date | null
  is_wanted: Generated<boolean>
  created_at: CreatedAt
  changed_at: UpdatedAt
}

export interface StagedPiecesTable {
  account_id: number
  staging_name: string
  start_bytes: number
  size_bytes: number
  etag: string
  part_number: number
  object: string | null
}

export interface UploadTables {
  staged_pieces: StagedPiecesTable
  staged_uploads: StagedUploadsTable
  uploads: UploadsTable
  upload_parts: UploadPartsTable
  pulls: PullsTable
}
