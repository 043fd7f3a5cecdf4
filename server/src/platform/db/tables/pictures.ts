import type { Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, JsonColumn } from './columns.ts'

/** A poster extracted from a new source; it becomes the file's poster together with that source. */
export interface NewPoster {
  readonly pictureBlob: string
  readonly thumbBlob: string
  readonly widthPixels: number
  readonly heightPixels: number
  readonly sizeBytes: number
}

/** Stills of the whole video at even intervals: as tiles of one sheet and as single pictures. */
export interface FileStoryboard {
  /** Id in the URLs of viewers; a new storyboard gets a new one. */
  readonly publicId: string
  readonly sheetBlob: string
  readonly stillsBlob: string
  /** End offset of each still in the stills blob. */
  readonly stillEnds: readonly number[]
  readonly tileWidthPixels: number
  readonly tileHeightPixels: number
  readonly columns: number
  readonly intervalSeconds: number
  readonly durationSeconds: number
  readonly sizeBytes: number
}

export interface FilePicturesTable {
  id: GeneratedAlways<number>
  account_id: number
  file_id: number
  public_id: Generated<string>
  /** Opens the picture whatever the release status of its file; only records and events contain it. */
  access_key: Generated<string>
  width_pixels: number
  height_pixels: number
  is_standard: boolean
  manual_upload: Generated<boolean>
  picture_blob: string
  thumb_blob: string
  size_bytes: Generated<number>
  poster_of_generation: number | null
  created_at: CreatedAt
}

export interface PictureRequestsTable {
  id: Generated<string>
  account_id: number
  /** Null for pictures of a project. */
  file_id: number | null
  project_id: number | null
  state: Generated<'waiting' | 'working' | 'made' | 'refused'>
  picture_id: number | null
  reason: string | null
  params: JsonColumn<Readonly<Record<string, string | number>> | null>
  sent: Buffer | null
  drawn: Buffer | null
  width_pixels: number | null
  height_pixels: number | null
  created_at: CreatedAt
}

export interface PictureTables {
  file_pictures: FilePicturesTable
  picture_requests: PictureRequestsTable
}
