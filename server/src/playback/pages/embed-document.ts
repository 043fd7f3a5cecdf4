import { escapeHtml } from '../../platform/http/responses/escape-html.ts'
import type { Refusal } from './refusals.ts'

export interface EmbedPage {
  readonly title: string
  /** Domains that may frame the page, besides this installation; null = all. */
  readonly domains: readonly string[] | null
  /** Origins of its media besides this installation's own. */
  readonly mediaOrigins?: readonly string[]
  readonly body: string
  /** The player script of this kind of page. */
  readonly script: 'file.js' | 'live.js'
  /** Metadata that other sites show for a link to the page. */
  readonly card: EmbedCard
}

export interface EmbedCard {
  readonly width: number
  readonly height: number
  readonly picture: { readonly path: string; readonly width: number; readonly height: number } | null
  readonly durationSeconds: number | null
  readonly isSoundOnly: boolean
}

export const themeAttributes = (playerColor: string | null): string[] =>
  playerColor === null ? [] : [`data-color="${playerColor}"`]

/** Pages of files and playlists then send no reports. Live pages do, because they count the viewers. */
export const analyticsAttributes = (isAnalyticsOn: boolean): string[] =>
  isAnalyticsOn ? [] : ['data-analytics-off']

/** States the time that is left by the server's clock, because that of the viewer may be wrong. */
export const tokenAttributes = (expiresAt: Date | null): string[] =>
  expiresAt === null ? [] : [`data-token-left-ms="${Math.max(0, expiresAt.getTime() - Date.now())}"`]

const frameAncestors = (domains: readonly string[] | null): string => {
  if (domains === null) return '*'
  // The console of this installation embeds every video, including previews.
  return ["'self'", ...domains.flatMap((domain) => [`https://${domain}`, `http://${domain}`])].join(' ')
}

export const contentSecurityPolicy = ({
  domains,
  mediaOrigins = [],
}: Pick<EmbedPage, 'domains' | 'mediaOrigins'>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The poster of a live stream comes from its node.
    ["img-src 'self'", ...mediaOrigins].join(' '),
    ["connect-src 'self'", ...mediaOrigins].join(' '),
    // hls.js creates its text tracks from an empty `data:,WEBVTT`.
    ["media-src 'self' blob: data:", ...mediaOrigins].join(' '),
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors(domains)}`,
  ].join('; ')

const meta = (property: string, content: string | number): string =>
  `<meta property="${property}" content="${escapeHtml(String(content))}">\n`

/** Metadata for public links: Open Graph, the Twitter card and oEmbed discovery (oembed.com, section 4). */
const discovery = ({ title, card }: EmbedPage, { publicUrl, playoutId }: PublicPage): string => {
  const address = `${publicUrl}/embed/${playoutId}`
  const { width, height, picture } = card
  return [
    `<link rel="alternate" type="application/json+oembed" href="${publicUrl}/oembed?url=${encodeURIComponent(address)}" title="${escapeHtml(title)}">\n`,
    `<link rel="canonical" href="${address}">\n`,
    meta('og:type', 'video.other'),
    meta('og:title', title),
    meta('og:url', address),
    meta('og:video:url', address),
    ...(address.startsWith('https:') ? [meta('og:video:secure_url', address)] : []),
    meta('og:video:type', 'text/html'),
    meta('og:video:width', width),
    meta('og:video:height', height),
    ...(card.durationSeconds === null ? [] : [meta('og:video:duration', Math.round(card.durationSeconds))]),
    ...(picture === null
      ? []
      : [
          meta('og:image', `${publicUrl}${picture.path}`),
          meta('og:image:width', picture.width),
          meta('og:image:height', picture.height),
        ]),
    '<meta name="twitter:card" content="player">\n',
    `<meta name="twitter:player" content="${address}">\n`,
    `<meta name="twitter:player:width" content="${width}">\n`,
    `<meta name="twitter:player:height" content="${height}">\n`,
  ].join('')
}

interface PublicPage {
  readonly publicUrl: string
  readonly playoutId: string
}

const documentOf = (
  lang: string,
  title: string,
  playerVersion: string,
  head: string,
  body: string,
): string => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/player/${playerVersion}/player.css">
${head}</head>
<body>
${body}</body>
</html>
`

/** The script of the page, and what it imports at once. */
const scripts = (playerVersion: string, name: string): string =>
  `<script type="module" src="/player/${playerVersion}/${name}"></script>
<link rel="modulepreload" href="/player/${playerVersion}/shared.js">
`

/** `publicPage` is null for a signed link, so that the page does not advertise it. */
export const embedDocument = (
  page: EmbedPage,
  playerVersion: string,
  publicPage: PublicPage | null,
): string => {
  const head = scripts(playerVersion, page.script) + (publicPage === null ? '' : discovery(page, publicPage))
  return documentOf('en', page.title, playerVersion, head, page.body)
}

/** Without a script; with it, the player shows its own texts, in more detail. */
const unavailable = {
  en: { title: 'Not available', text: 'This video is not available.' },
  de: { title: 'Nicht verfügbar', text: 'Dieses Video ist nicht verfügbar.' },
}

/** The page in place of a refused player. It reveals no more than the refusal. */
export const refusedDocument = (
  { reason, opensAt }: Refusal,
  playerVersion: string,
  viewer: { readonly supportId: string | null; readonly acceptLanguage: string | undefined },
): string => {
  const [first = ''] = (viewer.acceptLanguage ?? '').toLowerCase().split(/[,;-]/)
  const lang = first.trim() === 'de' ? 'de' : 'en'
  const { title, text } = unavailable[lang]
  const attributes = [
    `data-reason="${reason}"`,
    ...(viewer.supportId === null ? [] : [`data-support="${viewer.supportId}"`]),
    // The wait counts from the server's clock, because that of the viewer may be wrong.
    ...(opensAt === null
      ? []
      : [
          `data-opens-at="${opensAt.toISOString()}" data-wait-ms="${Math.max(0, opensAt.getTime() - Date.now())}"`,
        ]),
  ]
  const body = `<main class="stage" id="problem" ${attributes.join(' ')}>
<div id="message" role="alert"><h1>${text}</h1></div>
</main>
`
  return documentOf(lang, title, playerVersion, scripts(playerVersion, 'problem.js'), body)
}
