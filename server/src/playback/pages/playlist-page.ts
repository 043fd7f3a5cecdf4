import { analyticsAttributes, themeAttributes, tokenAttributes, type EmbedPage } from './embed-document.ts'
import type { PlaylistPlayout } from '../access/find-playlist-playout.ts'
import { escapeHtml } from '../../platform/http/responses/escape-html.ts'
import { logoMarkup } from './player-logo.ts'
import type { PlannedStream, PlayableElement } from '../playlists/playlist-layout.ts'

/** Size of the player and the list beside it, in pixels. */
const pageSize = { width: 960, height: 380 } as const

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Formats as 1:02:03 or 4:05; empty for an unknown duration. */
const clock = (seconds: number): string => {
  if (seconds === 0) return ''
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  const rest = twoDigits(whole % 60)
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${twoDigits(minutes)}:${rest}`
}

/** Path of an element, with its own token if it needs one. */
type PathOf = (playoutId: string) => string

const thumbnail = ({ pictureId, playoutId }: PlayableElement, pathOf: PathOf): string =>
  pictureId === null
    ? '<span class="thumb"></span>'
    : `<img class="thumb" src="${pathOf(playoutId)}/p/${pictureId}/thumb.jpg" alt="" loading="lazy">`

/** Attribute for an element without video: its poster, or its title when it has none. */
const cover = ({ pictureId, playoutId, renditions }: PlayableElement, pathOf: PathOf): string => {
  if (renditions.some(({ kind }) => kind === 'video')) return ''
  return pictureId === null
    ? ' data-sound-only'
    : ` data-cover="${pathOf(playoutId)}/p/${pictureId}/poster.jpg"`
}

const items = (elements: readonly PlayableElement[], pathOf: PathOf): string => {
  let startSeconds = 0
  return elements
    .map((element) => {
      const start = startSeconds
      startSeconds += element.lengthSeconds
      return `<li><button type="button" data-start="${start.toFixed(3)}"${cover(element, pathOf)}>${thumbnail(element, pathOf)}<span class="title">${escapeHtml(element.title)}</span><span class="length">${clock(element.lengthSeconds)}</span></button></li>`
    })
    .join('\n')
}

/**
 * Returns the embed page of a playlist: the player and the list of elements. `base` is the path prefix with
 * the token, or empty.
 */
export const playlistPage = (
  playout: PlaylistPlayout,
  stream: PlannedStream,
  {
    base,
    pathOf,
    tokenExpiresAt,
    isAnalyticsOn,
  }: {
    readonly base: string
    readonly pathOf: PathOf
    readonly tokenExpiresAt: Date | null
    readonly isAnalyticsOn: boolean
  },
): EmbedPage => {
  const { playlist } = playout
  const { elements } = stream
  const name = escapeHtml(playlist.name)
  const durationSeconds = elements.reduce((sum, { lengthSeconds }) => sum + lengthSeconds, 0)
  const isSoundOnly = stream.variants.length === 0
  const isOnDemand = elements.some(({ renditions }) => renditions.some(({ state }) => state === 'on_demand'))
  const [first] = elements
  const pictureId = first?.pictureId ?? null
  const poster =
    pictureId === null ? '' : ` poster="${pathOf(first?.playoutId ?? '')}/p/${pictureId}/poster.jpg"`
  const attributes = [
    `data-root="${base}/v/${playlist.playout_id}"`,
    `data-ratio="${pageSize.width}:${pageSize.height}"`,
    `data-duration="${durationSeconds.toFixed(3)}"`,
    ...(isSoundOnly ? ['data-sound-only'] : []),
    ...(isOnDemand ? ['data-on-demand'] : []),
    ...(pictureId === null ? [] : ['data-poster']),
    ...tokenAttributes(tokenExpiresAt),
    ...analyticsAttributes(isAnalyticsOn),
    ...themeAttributes(playout.playerColor),
  ]
  return {
    title: playlist.name,
    domains: playlistDomains(playout, stream),
    card: { ...pageSize, picture: null, durationSeconds, isSoundOnly },
    script: 'file.js',
    body: `<main class="with-playlist">
<div class="stage" id="player" ${attributes.join(' ')}>
<video id="video" playsinline preload="none" aria-label="${name}"${poster} data-hls="${base}/v/${playlist.playout_id}/main.m3u8"></video>
<img id="cover" alt="" hidden>
<div id="message" role="alert" hidden></div>
${logoMarkup(playout.playerLogo)}</div>
<nav id="playlist" aria-label="${name}">
<header>
<h1>${name}</h1>
<span id="place" aria-live="polite">1 / ${elements.length}</span>
<button type="button" id="previous" aria-label="Previous" aria-keyshortcuts="P" title="Previous (P)"></button>
<button type="button" id="next" aria-label="Next" aria-keyshortcuts="N" title="Next (N)"></button>
</header>
<ol>
${items(elements, pathOf)}
</ol>
</nav>
</main>
`,
  }
}

/**
 * Returns the domains that may frame the page: those of its project, or those that all projects with a list
 * share. Null = all.
 */
const playlistDomains = (
  { allowedDomains, playlist }: PlaylistPlayout,
  { elements }: PlannedStream,
): readonly string[] | null => {
  if (playlist.project_id !== null) return allowedDomains.length === 0 ? null : allowedDomains
  const lists = elements.map((element) => element.allowedDomains).filter((list) => list.length > 0)
  const [first, ...others] = lists
  return first === undefined ? null : first.filter((domain) => others.every((list) => list.includes(domain)))
}
