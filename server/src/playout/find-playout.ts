import type { Database } from '../kernel/db/database.ts'
import { Problem } from '../kernel/problem.ts'
import type { FileMetadata } from '../files/file-metadata.ts'
import {
  isPlayableState,
  type FileCaptionRow,
  type FilePictureRow,
  type RenditionRow,
} from '../files/file-record.ts'
import { captionsOf, renditionsOf } from '../files/media-file-store.ts'
import type { PlayoutTokens } from './playout-token.ts'

export interface Playout {
  readonly fileId: number
  readonly title: string
  readonly allowedDomains: readonly string[]
  readonly pictureId: string | null
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isPlayoutId = (text: string): boolean => uuid.test(text)

export const nothing = (): Problem => new Problem('not_found', 'There is nothing to play at this address.')

const isInWindow = ({ IsPublicAt, IsPublicUntil }: FileMetadata): boolean =>
  (IsPublicAt === null || Date.parse(IsPublicAt) <= Date.now()) &&
  (IsPublicUntil === null || Date.parse(IsPublicUntil) > Date.now())

/**
 * The rules of spec.md section 3, for every byte that leaves: published, inside its window, playable and enabled, or 404; 403 for a bad or
 * expired token, and without one where the project wants it. A preview token opens unpublished files, a viewer's does not.
 */
export const findPlayout = async (
  { kysely }: Database,
  tokens: PlayoutTokens,
  request: { readonly playoutId: string; readonly token: string | null },
): Promise<Playout> => {
  const { playoutId, token } = request
  if (!uuid.test(playoutId)) throw nothing()
  const grant = token === null ? null : tokens.check(token, playoutId)
  if (token !== null && grant === null)
    throw new Problem(
      'forbidden',
      'This link has expired or is not valid; ask the site that embeds the video for a new one.',
    )
  const row = await kysely
    .selectFrom('media_files as f')
    .innerJoin('projects as p', 'p.id', 'f.project_id')
    .leftJoin('file_pictures as i', (join) =>
      join.onRef('i.file_id', '=', 'f.id').on('i.is_standard', '=', true),
    )
    .select(['f.id', 'f.state', 'f.metadata', 'p.token_security', 'p.allowed_domains', 'i.public_id'])
    .where('f.playout_id', '=', playoutId)
    .where('f.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || !isPlayableState(row.state)) throw nothing()
  const metadata = row.metadata as unknown as FileMetadata
  if (grant !== 'preview') {
    if (metadata.ReleaseStatus !== 'published' || !isInWindow(metadata)) throw nothing()
    if (row.token_security && grant === null)
      throw new Problem('forbidden', 'This video needs a signed link; ask the site that embeds it for one.')
  }
  return {
    fileId: row.id,
    title: metadata.DisplayTitle === '' ? metadata.Title : metadata.DisplayTitle,
    allowedDomains: row.allowed_domains,
    pictureId: row.public_id,
  }
}

export const playableRenditions = ({ kysely }: Database, playout: Playout): Promise<RenditionRow[]> =>
  renditionsOf(kysely, playout.fileId)

/**
 * Those of an earlier generation are served as long as they are there: viewers who were in the middle of it go on. Those that are being made to
 * take its place are not.
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

export type PlayoutRendition = Pick<RenditionRow, 'kind' | 'delivery' | 'media_blob'>

/** Without its list of segments, which may be long. */
export const findRendition = async (
  database: Database,
  playout: Playout,
  renditionId: number,
): Promise<PlayoutRendition> => {
  const row = await servedRendition(database, playout, renditionId)
    .select(['kind', 'delivery', 'media_blob'])
    .executeTakeFirst()
  if (row === undefined) throw nothing()
  return row
}

/** With its list of segments. */
export const findListedRendition = async (
  database: Database,
  playout: Playout,
  renditionId: number,
): Promise<RenditionRow> => {
  const row = await servedRendition(database, playout, renditionId).selectAll().executeTakeFirst()
  if (row === undefined) throw nothing()
  return row
}

export const captionsOfPlayout = ({ kysely }: Database, playout: Playout): Promise<FileCaptionRow[]> =>
  captionsOf(kysely, playout.fileId)

/** Where the text of captions lies, by their public id. */
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

/** The blobs of a picture by its public id; those of deleted files are gone. */
export const findPicture = async (
  { kysely }: Database,
  publicId: string,
): Promise<Pick<FilePictureRow, 'picture_blob' | 'thumb_blob'>> => {
  if (!uuid.test(publicId)) throw nothing()
  const row = await kysely
    .selectFrom('file_pictures as i')
    .innerJoin('media_files as f', 'f.id', 'i.file_id')
    .innerJoin('projects as p', 'p.id', 'f.project_id')
    .select(['i.picture_blob', 'i.thumb_blob'])
    .where('i.public_id', '=', publicId)
    .where('f.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw nothing()
  return row
}
