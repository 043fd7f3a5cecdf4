import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { playerFrame } from '../../platform/http/responses/player-frame.ts'
import { invalidField, Problem } from '../../platform/base/problem.ts'
import type { EmbedPage } from './embed-document.ts'
import type { EmbedParams } from './embed-pages.ts'
import { nothing } from '../access/find-playout.ts'
import { corsHeaders, sendPreflight } from '../responses/send-media.ts'

/** oEmbed 1.0 (oembed.com): metadata with which a site embeds a link to a player page. */

const query = Type.Object({
  url: Type.Optional(Type.String({ maxLength: 2_048 })),
  maxwidth: Type.Optional(Type.String({ maxLength: 10 })),
  maxheight: Type.Optional(Type.String({ maxLength: 10 })),
  format: Type.Optional(Type.String({ maxLength: 20 })),
})

/** Short, so that consumers soon drop the embed code of unpublished media. */
const cacheSeconds = 3_600

const parseMost = (name: string, text: string | undefined): number => {
  if (text === undefined) return Infinity
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalidField(name, 'not_pixels')
  return Number(text)
}

/** Returns the largest size with the aspect ratio of the player that fits the limits. */
export const fitInto = (
  { width, height }: { readonly width: number; readonly height: number },
  maxWidth: number,
  maxHeight: number,
): { width: number; height: number } => {
  const scale = Math.min(1, maxWidth / width, maxHeight / height)
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

/** Returns the playout id and token of a player URL of this installation, or null for any other URL. */
export const readEmbedUrl = (text: string, publicUrl: string): EmbedParams | null => {
  if (!URL.canParse(text)) return null
  const { protocol, host, pathname } = new URL(text)
  const own = new URL(publicUrl)
  if (!/^https?:$/.test(protocol) || host !== own.host) return null
  const [, token, playoutId] = /^(?:\/s\/([^/]+))?\/embed\/([0-9a-f-]{36})\/?$/.exec(pathname) ?? []
  if (playoutId === undefined) return null
  return token === undefined ? { playoutId } : { playoutId, token }
}

const record = (
  page: EmbedPage,
  address: string,
  publicUrl: string,
  size: { width: number; height: number },
) => {
  const { card, title } = page
  const { width, height } = size
  return {
    version: '1.0',
    type: card.isSoundOnly ? 'rich' : 'video',
    provider_name: 'Zoetrope',
    provider_url: publicUrl,
    title,
    cache_age: cacheSeconds,
    html: playerFrame(address, { title, width, height }),
    width,
    height,
    ...(card.durationSeconds === null ? {} : { duration: card.durationSeconds }),
    ...(card.picture === null
      ? {}
      : {
          thumbnail_url: `${publicUrl}${card.picture.path}`,
          thumbnail_width: card.picture.width,
          thumbnail_height: card.picture.height,
        }),
  }
}

export const registerOembedRoute = (
  app: HttpServer,
  {
    pageOf,
    publicUrl,
  }: { readonly pageOf: (params: EmbedParams) => Promise<EmbedPage>; readonly publicUrl: string },
): void => {
  app.options('/oembed', { schema: { hide: true } }, sendPreflight)
  app.get('/oembed', { schema: { hide: true, querystring: query } }, async (request, reply) => {
    const { url, maxwidth, maxheight, format = 'json' } = request.query
    reply.headers(corsHeaders)
    if (url === undefined) throw invalidField('url', 'page_url_missing')
    const maxWidth = parseMost('maxwidth', maxwidth)
    const maxHeight = parseMost('maxheight', maxheight)
    // oEmbed 2.3.2: a format that is not supported gets 501.
    if (format !== 'json')
      return reply.code(501).type('text/plain; charset=utf-8').send('Only format=json is offered.\n')
    const params = readEmbedUrl(url, publicUrl)
    if (params === null) throw nothing()
    // oEmbed 2.3.2: 401 means that the resource is private.
    if (params.token !== undefined) throw notForEverybody()
    const page = await pageOf(params).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'forbidden') throw notForEverybody()
      throw error
    })
    const address = `${publicUrl}/embed/${params.playoutId}`
    return reply
      .header('Cache-Control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(record(page, address, publicUrl, fitInto(page.card, maxWidth, maxHeight))))
  })
}

const notForEverybody = (): Problem => new Problem('oembed_needs_signed_link')
