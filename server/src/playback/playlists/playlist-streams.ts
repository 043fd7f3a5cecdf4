import { createHash } from 'node:crypto'
import { findSuccessors } from '../../library/files/on-demand/watched-rungs.ts'
import type { Database } from '../../platform/db/database.ts'
import { nothing } from '../access/find-playout.ts'
import type { PlaylistPlayout } from '../access/find-playlist-playout.ts'
import {
  planPlaylistStream,
  type LayoutRendition,
  type PlannedStream,
  type PlaylistLayout,
} from './playlist-layout.ts'
import type { TimedSegments } from './playlist-media.ts'
import type { VisibleElements } from '../access/visible-elements.ts'

interface PlayableRendition extends LayoutRendition {
  readonly file_id: number
  readonly size_bytes: number
}

/**
 * Plans the stream of a playlist from its visible elements; several elements may be the same file. `offered` chooses among
 * their renditions.
 */
export const planStreamOf = async (
  { database, visibleElements }: { readonly database: Database; readonly visibleElements: VisibleElements },
  playout: PlaylistPlayout,
  offered = async (renditions: readonly PlayableRendition[]): Promise<readonly PlayableRendition[]> =>
    renditions,
): Promise<PlannedStream> => {
  const elements = await visibleElements(playout)
  const rows =
    elements.length === 0 ? [] : await offered(await completeRenditions(database, playout, elements))
  const renditionsOf = Map.groupBy(rows, ({ file_id }) => file_id)
  return planPlaylistStream(
    elements.map(({ fileId, playoutId, metadata, pictureId, allowedDomains, lengthSeconds }) => ({
      playoutId,
      title: metadata.DisplayTitle === '' ? metadata.Title : metadata.DisplayTitle,
      pictureId,
      allowedDomains,
      lengthSeconds: lengthSeconds ?? 0,
      renditions: renditionsOf.get(fileId) ?? [],
    })),
    { isPreview: playout.grant?.kind === 'preview', isSigned: playout.grant?.kind === 'viewer' },
  )
}

/** Selects complete renditions of the current revision, without their segment lists, which may be long. */
const completeRenditions = (
  { kysely }: Database,
  { playlist }: PlaylistPlayout,
  elements: readonly { readonly fileId: number }[],
): Promise<PlayableRendition[]> =>
  kysely
    .selectFrom('renditions as r')
    .innerJoin('media_files as f', 'f.id', 'r.file_id')
    .select([
      'r.id',
      'r.file_id',
      'r.kind',
      'r.state',
      'r.delivery',
      'r.codec',
      'r.width_pixels',
      'r.height_pixels',
      'r.size_bytes',
    ])
    .select(['r.frame_rate', 'r.channels', 'r.sample_rate_hz'])
    .select(['r.peak_bits_per_second', 'r.average_bits_per_second', 'r.has_closed_captions'])
    .where('r.account_id', '=', playlist.account_id)
    .where('r.file_id', 'in', [...new Set(elements.map(({ fileId }) => fileId))])
    .whereRef('r.generation', '=', 'f.generation')
    .where('r.state', 'in', ['complete', 'on_demand'])
    // One stream has one codec for all elements; every file has H.264.
    .where((where) => where.or([where('r.kind', '=', 'audio'), where('r.codec', 'like', 'avc%')]))
    .orderBy('r.position')
    .orderBy('r.id')
    .execute()

const fingerprintOf = (layout: string): string =>
  createHash('sha256').update(layout).digest('base64url').slice(0, 22)

/** A layout used within this interval is not written again; housekeeping keeps layouts far longer. */
const refreshMs = 3_600_000

/**
 * Stores the layout and returns its fingerprint. The player requests the media playlists later, when the
 * playlist may have changed, and they must contain the same elements.
 */
export const keepLayout = async (
  { kysely }: Database,
  { playlist }: PlaylistPlayout,
  layout: PlaylistLayout,
): Promise<string> => {
  const text = JSON.stringify(layout)
  const fingerprint = fingerprintOf(text)
  const known = await kysely
    .selectFrom('playlist_streams')
    .select('used_at')
    .where('playlist_id', '=', playlist.id)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  if (known !== undefined && known.used_at.getTime() > Date.now() - refreshMs) return fingerprint
  await kysely
    .insertInto('playlist_streams')
    .values({ account_id: playlist.account_id, playlist_id: playlist.id, fingerprint, layout: text })
    .onConflict((conflict) =>
      conflict.columns(['playlist_id', 'fingerprint']).doUpdateSet({ used_at: new Date() }),
    )
    .execute()
  return fingerprint
}

export const findLayout = async (
  { kysely }: Database,
  { playlist, grant }: PlaylistPlayout,
  fingerprint: string,
): Promise<PlaylistLayout> => {
  const row = await kysely
    .selectFrom('playlist_streams')
    .select('layout')
    .where('playlist_id', '=', playlist.id)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  const layout = row === undefined ? null : (JSON.parse(row.layout) as PlaylistLayout)
  if (layout === null) throw nothing()
  const { isPreview, isSigned = false } = layout
  if (isPreview !== (grant?.kind === 'preview') || isSigned !== (grant?.kind === 'viewer')) throw nothing()
  return layout
}

/** Whether all elements of the layout are still in the playlist. */
export const isWithin = (
  { elements }: PlaylistLayout,
  visible: readonly { readonly playoutId: string }[],
): boolean => {
  const present = new Set(visible.map(({ playoutId }) => playoutId))
  return elements.every(({ playoutId }) => present.has(playoutId))
}

const readTimedSegments = async (
  { kysely }: Database,
  accountId: number,
  renditionIds: readonly number[],
): Promise<Map<number, TimedSegments>> => {
  if (renditionIds.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('renditions')
    .select(['id', 'timescale', 'segments'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...new Set(renditionIds)])
    .where('state', 'in', ['complete', 'on_demand'])
    .execute()
  return new Map(
    rows.map(({ id, timescale, segments }) => [
      id,
      { timescale, segments: JSON.parse(segments) as [number, number][] },
    ]),
  )
}

/** Returns renditions that take the place of those in `gone`, which have been evicted or withdrawn. */
const findSubstitutes = async (
  database: Database,
  accountId: number,
  { elements }: PlaylistLayout,
  gone: ReadonlySet<number>,
): Promise<Map<number, number>> => {
  const substitutes = new Map(await findSuccessors(database, [...gone]))
  const withdrawn = elements.flatMap(({ video }) => {
    const id = video?.find((one) => gone.has(one) && !substitutes.has(one))
    return video === null || id === undefined ? [] : [{ id, others: video.filter((one) => one !== id) }]
  })
  const others = withdrawn.flatMap((one) => one.others)
  if (others.length === 0) return substitutes
  const present = await database.kysely
    .selectFrom('renditions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', others)
    .where('state', 'in', ['complete', 'on_demand'])
    // A player that has chosen a variant for its line gets no more than that.
    .orderBy('peak_bits_per_second')
    .orderBy('id')
    .execute()
  for (const one of withdrawn) {
    const smallest = present.find(({ id }) => one.others.includes(id))
    if (smallest !== undefined) substitutes.set(one.id, smallest.id)
  }
  return substitutes
}

/**
 * Reads the segments of a variant and of the audio. Renditions that are gone since the layout was stored are replaced in the
 * layout that is returned: by their successor, or by the smallest other one of the same element.
 */
export const readVariant = async (
  database: Database,
  accountId: number,
  layout: PlaylistLayout,
  variant: number,
): Promise<{ readonly layout: PlaylistLayout; readonly segments: ReadonlyMap<number, TimedSegments> }> => {
  const videos = layout.elements.flatMap(({ video }) => video?.[variant] ?? [])
  const audios = layout.elements.flatMap(({ audio }) => audio ?? [])
  const segments = await readTimedSegments(database, accountId, [...videos, ...audios])
  const gone = new Set(videos.filter((id) => !segments.has(id)))
  if (gone.size === 0) return { layout, segments }
  const substitutes = await findSubstitutes(database, accountId, layout, gone)
  const more = await readTimedSegments(database, accountId, [...substitutes.values()])
  return {
    layout: {
      ...layout,
      elements: layout.elements.map((element) => ({
        ...element,
        video: element.video?.map((id) => substitutes.get(id) ?? id) ?? null,
      })),
    },
    segments: new Map([...segments, ...more]),
  }
}
