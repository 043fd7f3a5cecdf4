import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../kernel/db/database.ts'
import { Problem, statusOf } from '../kernel/problem.ts'
import { fileOrPlaylist, findPlaylistPlayout } from './find-playlist-playout.ts'
import { nothing } from './find-playout.ts'
import { escapeHtml } from '../http/escape-html.ts'
import { playlistBody, playlistDomains } from './playlist-page.ts'
import type { LiveAccess } from './live-access.ts'
import { livePage } from './live-page.ts'
import { planStreamOf } from './playlist-streams.ts'
import { createPlayoutFinder } from './playout-finder.ts'
import type { PlayoutTokens } from './playout-token.ts'
import { corsHeaders, immutable } from './send-media.ts'
import type { VisibleElements } from './visible-elements.ts'

/** The bundled player, read once; its URL carries its hash, so that it may be cached for ever. */
export interface PlayerAssets {
  readonly version: string
  readonly files: ReadonlyMap<string, { readonly body: Buffer; readonly type: string }>
}

const playerFolder = new URL('../../../player/dist/', import.meta.url)
const playerTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Throws when the player was not built: `./zoetrope up` builds it. */
export const loadPlayerAssets = async (): Promise<PlayerAssets> => {
  const files = new Map<string, { body: Buffer; type: string }>()
  const hash = createHash('sha256')
  for (const name of (await readdir(playerFolder)).toSorted()) {
    const type = playerTypes[extname(name)]
    if (type === undefined) continue
    const body = await readFile(new URL(name, playerFolder))
    hash.update(body)
    files.set(name, { body, type })
  }
  return { version: hash.digest('hex').slice(0, 16), files }
}

const frameAncestors = (domains: readonly string[] | null): string => {
  if (domains === null) return '*'
  const sources = domains.flatMap((domain) => [`https://${domain}`, `http://${domain}`])
  return sources.length === 0 ? "'none'" : sources.join(' ')
}

const contentSecurityPolicy = ({ domains, mediaOrigins = [] }: Page): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...mediaOrigins].join(' '),
    // hls.js makes its text tracks of an empty `data:,WEBVTT`.
    ["media-src 'self' blob: data:", ...mediaOrigins].join(' '),
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors(domains)}`,
  ].join('; ')

interface Page {
  readonly title: string
  /** Which sites may frame it; null = all. */
  readonly domains: readonly string[] | null
  /** From where its media come beside our own origin. */
  readonly mediaOrigins?: readonly string[]
  readonly body: string
}

/** Says nothing of why: what is not released is nobody's business. */
const unavailable: Page = {
  title: 'Not available',
  domains: null,
  body: '<p id="message" role="alert">This video is not available.</p>\n',
}

const wantsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

const isRefusal = ({ code }: Problem): boolean => code === 'not_found' || code === 'forbidden'

interface EmbedParams {
  readonly playoutId: string
  readonly token?: string
}

/** The player's page, for iframes and for its own address; `/s/<token>` before it previews what is not published. */
export const registerEmbedRoutes = (
  app: FastifyInstance,
  dependencies: {
    readonly database: Database
    readonly tokens: PlayoutTokens
    readonly player: PlayerAssets
    readonly visibleElements: VisibleElements
    readonly liveAccess: LiveAccess
  },
): void => {
  const { database, tokens, player } = dependencies
  const finder = createPlayoutFinder(database, tokens)

  const filePage = async ({ playoutId, token }: EmbedParams, base: string): Promise<Page> => {
    const playout = await finder.playout({ playoutId, token: token ?? null })
    const poster = playout.pictureId === null ? '' : ` poster="/p/${playout.pictureId}/poster.jpg"`
    return {
      title: playout.title,
      domains: playout.allowedDomains.length === 0 ? null : playout.allowedDomains,
      body: `<video id="video" controls playsinline preload="metadata" aria-label="${escapeHtml(playout.title)}"${poster} data-hls="${base}/v/${playoutId}/main.m3u8"></video>
<p id="message" role="alert" hidden></p>
`,
    }
  }

  const playlistPage = async ({ playoutId, token }: EmbedParams, base: string): Promise<Page> => {
    const playout = await findPlaylistPlayout(database, tokens, { playoutId, token: token ?? null })
    const stream = await planStreamOf(dependencies, playout)
    if (stream.elements.length === 0) throw nothing()
    return {
      title: playout.playlist.name,
      domains: playlistDomains(playout, stream),
      body: playlistBody(playout, stream, base),
    }
  }

  const embed = async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as EmbedParams
    reply.headers(corsHeaders)
    const base = params.token === undefined ? '' : `/s/${encodeURIComponent(params.token)}`
    let page: Page
    try {
      page = await fileOrPlaylist(
        () => filePage(params, base),
        () =>
          fileOrPlaylist(
            () => playlistPage(params, base),
            () => livePage(dependencies, params, base),
          ),
      )
    } catch (error) {
      // In somebody's iframe: people are shown a page, programs the error.
      if (!(error instanceof Problem) || !wantsHtml(request) || !isRefusal(error)) throw error
      page = unavailable
      reply.code(statusOf[error.code])
    }
    return reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .header('Vary', 'Accept')
      .header('Content-Security-Policy', contentSecurityPolicy(page))
      .header('Referrer-Policy', 'strict-origin-when-cross-origin')
      .send(
        `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/player/${player.version}/player.css">
${
  page === unavailable
    ? ''
    : `<script type="module" src="/player/${player.version}/player.js"></script>
`
}</head>
<body>
${page.body}</body>
</html>
`,
      )
  }
  app.get('/embed/:playoutId', { schema: { hide: true } }, embed)
  app.get('/s/:token/embed/:playoutId', { schema: { hide: true } }, embed)

  app.get('/player/:version/:file', { schema: { hide: true } }, async (request, reply) => {
    const { version, file } = request.params as { version: string; file: string }
    const asset = version === player.version ? player.files.get(file) : undefined
    if (asset === undefined) throw new Problem('not_found', 'There is nothing at this address.')
    return reply
      .headers(corsHeaders)
      .header('Content-Type', asset.type)
      .header('Cache-Control', immutable)
      .send(asset.body)
  })
}
