import type { Chapter } from '../../library/captions/chapters.ts'
import type { FileProperties } from '../../library/files/record/parts/file-properties.ts'
import { escapeHtml } from '../../platform/http/responses/escape-html.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  analyticsAttributes,
  themeAttributes,
  tokenAttributes,
  type EmbedCard,
  type EmbedPage,
} from './embed-document.ts'
import { nothing, type Playout } from '../access/find-playout.ts'
import { logoMarkup } from './player-logo.ts'

const usualWidth = 640
const usualHeight = 360
const longestSide = 640

/** Scales the video to the default size, keeping its aspect ratio. */
const sizeOf = (width: number | null, height: number | null): { width: number; height: number } => {
  if (width === null || height === null || width < 1 || height < 1)
    return { width: usualWidth, height: usualHeight }
  const scale = longestSide / Math.max(width, height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Reads the facts that the page shows before playback, so that the player loads nothing until then. */
const factsOf = async ({ kysely }: Database, { fileId, pictureId }: Playout) => {
  const file = await kysely
    .selectFrom('media_files as f')
    .innerJoin('projects as o', 'o.id', 'f.project_id')
    .leftJoin('file_pictures as p', (join) =>
      join
        .onRef('p.file_id', '=', 'f.id')
        .on('p.public_id', '=', pictureId ?? '00000000-0000-0000-0000-000000000000'),
    )
    .select(['f.properties', 'p.width_pixels', 'p.height_pixels', 'o.has_heat_map'])
    .select((select) => select('f.storyboard', 'is not', null).as('has_storyboard'))
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('renditions as r')
            .whereRef('r.file_id', '=', 'f.id')
            .whereRef('r.generation', '=', 'f.generation')
            .where('r.kind', '=', 'video')
            .select('r.id'),
        )
        .as('has_picture'),
    )
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('renditions as r')
            .whereRef('r.file_id', '=', 'f.id')
            .whereRef('r.generation', '=', 'f.generation')
            .where('r.state', '=', 'on_demand')
            // Players know others only once they are complete.
            .where('r.codec', 'like', 'avc%')
            .select('r.id'),
        )
        .as('is_on_demand'),
    )
    .where('f.id', '=', fileId)
    .executeTakeFirst()
  if (file === undefined) throw nothing()
  return file
}

/** Returns the embed page of a file. `base` is the path prefix with the token, or empty. */
export const filePage = async (
  database: Database,
  playout: Playout,
  {
    playoutId,
    base,
    tokenExpiresAt,
    chapters,
    isAnalyticsOn,
  }: {
    readonly playoutId: string
    readonly base: string
    readonly tokenExpiresAt: Date | null
    readonly chapters: readonly Chapter[]
    readonly isAnalyticsOn: boolean
  },
): Promise<EmbedPage> => {
  const facts = await factsOf(database, playout)
  const properties = facts.properties as FileProperties | null
  const durationSeconds = properties?.Length ?? null
  const isSoundOnly = facts.has_picture === false || facts.has_picture === 0
  const picturePath = playout.pictureId === null ? null : `${base}/p/${playout.pictureId}/poster.jpg`
  const card: EmbedCard = {
    ...sizeOf(properties?.VideoWidth ?? facts.width_pixels, properties?.VideoHeight ?? facts.height_pixels),
    picture:
      picturePath === null || facts.width_pixels === null || facts.height_pixels === null
        ? null
        : { path: picturePath, width: facts.width_pixels, height: facts.height_pixels },
    durationSeconds,
    isSoundOnly,
  }
  const attributes = [
    `data-root="${base}/v/${playoutId}"`,
    `data-ratio="${card.width}:${card.height}"`,
    ...(durationSeconds === null ? [] : [`data-duration="${durationSeconds}"`]),
    ...(facts.has_storyboard ? ['data-storyboard'] : []),
    ...(facts.has_heat_map ? ['data-heatmap'] : []),
    ...(isSoundOnly ? ['data-sound-only'] : []),
    ...(facts.is_on_demand ? ['data-on-demand'] : []),
    ...(picturePath === null ? [] : ['data-poster']),
    ...tokenAttributes(tokenExpiresAt),
    ...analyticsAttributes(isAnalyticsOn),
    ...themeAttributes(playout.playerColor),
    ...(chapters.length === 0 ? [] : [`data-chapters="${escapeHtml(JSON.stringify(chapters))}"`]),
  ]
  const poster = picturePath === null ? '' : ` poster="${picturePath}"`
  return {
    title: playout.title,
    domains: playout.allowedDomains.length === 0 ? null : playout.allowedDomains,
    card,
    script: 'file.js',
    body: `<main class="stage" id="player" ${attributes.join(' ')}>
<video id="video" playsinline preload="none" aria-label="${escapeHtml(playout.title)}"${poster} data-hls="${base}/v/${playoutId}/main.m3u8"></video>
<div id="message" role="alert" hidden></div>
${logoMarkup(playout.playerLogo)}</main>
`,
  }
}
