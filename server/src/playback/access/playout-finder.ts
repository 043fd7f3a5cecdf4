import { isPlayableState } from '../../library/files/record/parts/file-state.ts'
import { createBatchLoader } from '../../platform/db/batch-loader.ts'
import type { Database } from '../../platform/db/database.ts'
import { Problem } from '../../platform/base/problem.ts'
import type { ChunkFolder } from '../../platform/db/tables/encoding.ts'
import type { MediaFileState } from '../../platform/db/tables/files.ts'
import type { PlayerLogo } from '../../platform/db/tables/projects.ts'
import { isPlayoutId, nothing, type Playout, type PlayoutRendition } from './find-playout.ts'
import type { PlayoutTokens } from './playout-token.ts'

interface PlayoutRequest {
  readonly playoutId: string
  readonly token: string | null
}

/**
 * Release rules for every playout request. Throws 'not_found' unless the file is published, inside its
 * release window and playable. Throws 'forbidden' for a bad or expired token, and without one where the
 * project requires it. A preview token opens unpublished files, a viewer token does not.
 * Each request queries the database, so a withdrawn file is unavailable at once on every node; concurrent
 * requests share a query.
 */
export interface PlayoutFinder {
  readonly playout: (request: PlayoutRequest) => Promise<Playout>
  /** Returns the rendition without its segment list, which may be long. */
  readonly rendition: (
    request: PlayoutRequest,
    renditionId: number,
  ) => Promise<{ readonly playout: Playout; readonly rendition: PlayoutRendition }>
  /**
   * Start of the release window of a published file that this request opens from then on; null for all other
   * requests. Reveals nothing else of the file.
   */
  readonly opensAt: (request: PlayoutRequest) => Promise<Date | null>
}

interface Found extends Playout {
  readonly state: MediaFileState
  readonly needsToken: boolean
  readonly releaseStatus: string
  readonly publicAt: string | null
  readonly publicUntil: string | null
  readonly rendition: PlayoutRendition | null
}

/** Matches no rendition. */
const noRendition = 0

const hasBegun = ({ publicAt }: Found): boolean => publicAt === null || Date.parse(publicAt) <= Date.now()

const isInWindow = (found: Found): boolean =>
  hasBegun(found) && (found.publicUntil === null || Date.parse(found.publicUntil) > Date.now())

/**
 * Joins renditions of the current and earlier revisions, so that viewers of a replaced revision can finish.
 * Renditions of a pending revision are not served.
 */
const createQuestion = ({ sql }: Database) =>
  createBatchLoader<string, Found>(async (keys) => {
    const asked = keys.map((key) => key.split(' '))
    const rows = await sql.raw`
      select asked.position, f.id, f.state, p.token_security::int, f.metadata ->> 'ReleaseStatus',
        f.metadata ->> 'IsPublicAt', f.metadata ->> 'IsPublicUntil',
        coalesce(nullif(f.metadata ->> 'DisplayTitle', ''), f.metadata ->> 'Title'),
        p.allowed_domains::text, p.player_color, p.player_logo::text, i.public_id, r.kind, r.delivery, r.media_blob, r.track_id, r.state, r.chunk_folders::text
      from unnest(${asked.map(([playoutId]) => playoutId)}::uuid[], ${asked.map(([, id]) => Number(id))}::bigint[])
        with ordinality as asked (playout_id, rendition_id, position)
      join media_files f on f.playout_id = asked.playout_id and f.deleted_at is null
      join projects p on p.id = f.project_id and p.deleted_at is null
      left join file_pictures i on i.file_id = f.id and i.is_standard
      left join renditions r on r.id = asked.rendition_id and r.file_id = f.id and r.state <> 'encoding'
        and r.generation <= f.generation`
    return new Map(
      rows.map((row) => {
        const index = Number(row[0]) - 1
        const [
          fileId,
          state,
          needsToken,
          releaseStatus,
          publicAt,
          publicUntil,
          title,
          domains,
          playerColor,
          playerLogo,
          pictureId,
          ...rest
        ] = row.slice(1)
        const [kind, delivery, mediaBlob, trackId, renditionState, chunkFolders] = rest
        const found: Found = {
          fileId: Number(fileId),
          state: state as MediaFileState,
          needsToken: needsToken === '1',
          releaseStatus: releaseStatus ?? '',
          publicAt: publicAt ?? null,
          publicUntil: publicUntil ?? null,
          title: title ?? '',
          allowedDomains: JSON.parse(domains ?? '[]') as string[],
          playerColor: playerColor ?? null,
          playerLogo: playerLogo == null ? null : (JSON.parse(playerLogo) as PlayerLogo),
          pictureId: pictureId ?? null,
          rendition:
            kind === null || kind === undefined
              ? null
              : {
                  id: Number(asked[index]?.[1]),
                  file_id: Number(fileId),
                  state: renditionState as PlayoutRendition['state'],
                  kind: kind as PlayoutRendition['kind'],
                  delivery: delivery as PlayoutRendition['delivery'],
                  media_blob: mediaBlob ?? '',
                  chunk_folders: chunkFolders == null ? null : (JSON.parse(chunkFolders) as ChunkFolder[]),
                  track_id: trackId === null ? null : Number(trackId),
                },
        }
        return [keys[index] as string, found]
      }),
    )
  })

export const createPlayoutFinder = (database: Database, tokens: PlayoutTokens): PlayoutFinder => {
  const ask = createQuestion(database)

  const find = async ({ playoutId, token }: PlayoutRequest, renditionId: number): Promise<Found> => {
    if (!isPlayoutId(playoutId)) throw nothing()
    const grant = token === null ? null : tokens.check(token, playoutId)
    if (token !== null && grant === null) throw new Problem('signed_link_invalid')
    const found = await ask(`${playoutId} ${renditionId}`)
    if (found === null || !isPlayableState(found.state)) throw nothing()
    if (grant?.kind === 'preview') return found
    if (found.releaseStatus !== 'published' || !isInWindow(found)) throw nothing()
    if (found.needsToken && grant === null) throw new Problem('signed_link_required')
    return found
  }

  return {
    playout: (request) => find(request, noRendition),
    rendition: async (request, renditionId) => {
      const playout = await find(request, renditionId)
      const { rendition } = playout
      if (rendition === null) throw nothing()
      return { playout, rendition }
    },
    opensAt: async ({ playoutId, token }) => {
      if (!isPlayoutId(playoutId)) return null
      const grant = token === null ? null : tokens.check(token, playoutId)
      if (token !== null && grant === null) return null
      const found = await ask(`${playoutId} ${noRendition}`)
      if (found?.publicAt == null || hasBegun(found) || !isPlayableState(found.state)) return null
      if (found.releaseStatus !== 'published' || (found.needsToken && grant === null)) return null
      return new Date(found.publicAt)
    },
  }
}
