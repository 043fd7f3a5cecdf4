import type { Database } from '../../platform/db/database.ts'
import type { PlayerLogo } from '../../platform/db/tables/projects.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { FileCaptionRow } from '../../library/files/record/parts/caption-record.ts'
import type { FilePictureRow } from '../../library/files/record/parts/picture-record.ts'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { captionsOf, renditionsOf } from '../../library/files/record/media-file-store.ts'

export interface Playout {
  readonly fileId: number
  readonly title: string
  readonly allowedDomains: readonly string[]
  readonly pictureId: string | null
  /** Color of the player's controls; null = default. */
  readonly playerColor: string | null
  readonly playerLogo: PlayerLogo | null
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isPlayoutId = (text: string): boolean => uuid.test(text)

export const nothing = (): Problem => new Problem('nothing_to_play')

export const playableRenditions = ({ kysely }: Database, playout: Playout): Promise<RenditionRow[]> =>
  renditionsOf(kysely, playout.fileId)

/**
 * Selects a rendition of the current or an earlier revision, so that viewers of a replaced revision can
 * finish. Renditions of a pending revision are not served.
 */
const servedRendition = ({ kysely }: Database, playout: Playout, renditionId: number) =>
  kysely
    .selectFrom('renditions')
    .where('id', '=', renditionId)
    .where('file_id', '=', playout.fileId)
    .where('state', '!=', 'encoding')
    .where('generation', '<=', (query) =>
      query.selectFrom('media_files').select('generation').where('id', '=', playout.fileId),
    )

export type PlayoutRendition = Pick<
  RenditionRow,
  'id' | 'file_id' | 'kind' | 'state' | 'delivery' | 'media_blob' | 'chunk_folders' | 'track_id'
>

/** Returns a rendition with its segment list. Throws 'not_found'. */
export const findListedRendition = async (
  database: Database,
  playout: Playout,
  renditionId: number,
): Promise<RenditionRow> => {
  const row = await servedRendition(database, playout, renditionId).selectAll().executeTakeFirst()
  if (row === undefined) throw nothing()
  return row
}

/** Returns the captions for manifests; chapters are only for the embed page. */
export const captionsOfPlayout = async ({ kysely }: Database, playout: Playout): Promise<FileCaptionRow[]> =>
  (await captionsOf(kysely, playout.fileId)).filter(({ kind }) => kind !== 'chapters')

/** Returns the blob of captions by their public id. Throws 'not_found'. */
export const findCaptionBlob = async (
  { kysely }: Database,
  playout: Playout,
  publicId: string,
): Promise<string> => {
  if (!uuid.test(publicId)) throw nothing()
  const row = await kysely
    .selectFrom('file_captions')
    .select('caption_blob')
    .where('public_id', '=', publicId)
    .where('file_id', '=', playout.fileId)
    .executeTakeFirst()
  if (row === undefined) throw nothing()
  return row.caption_blob
}

export type StoredPicture = Pick<FilePictureRow, 'picture_blob' | 'thumb_blob' | 'access_key'> & {
  readonly playout_id: string
}

/** Returns a picture by its public id. Throws 'not_found', also when its file or project is deleted. */
export const findPicture = async ({ kysely }: Database, publicId: string): Promise<StoredPicture> => {
  if (!uuid.test(publicId)) throw nothing()
  const row = await kysely
    .selectFrom('file_pictures as i')
    .innerJoin('media_files as f', 'f.id', 'i.file_id')
    .innerJoin('projects as p', 'p.id', 'f.project_id')
    .select(['i.picture_blob', 'i.thumb_blob', 'i.access_key', 'f.playout_id'])
    .where('i.public_id', '=', publicId)
    .where('f.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw nothing()
  return row
}
