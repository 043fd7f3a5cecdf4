import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { escapeHtml } from '../../platform/http/responses/escape-html.ts'
import type { Database, Queryable } from '../../platform/db/database.ts'
import type { PlayerLogo } from '../../platform/db/tables/projects.ts'
import { nothing } from '../access/find-playout.ts'
import { immutable, sendMedia } from '../responses/send-media.ts'

/**
 * Returns the markup of the project's logo. Without a link it is decorative; with one, its alternative text
 * names the linked host.
 */
export const logoMarkup = (logo: PlayerLogo | null): string => {
  if (logo === null) return ''
  const { name, widthPixels, heightPixels, position, link } = logo
  const picture = (alt: string): string =>
    `<img src="/p/logos/${name}" width="${widthPixels}" height="${heightPixels}" alt="${escapeHtml(alt)}">`
  return link === null
    ? `<span class="logo" data-position="${position}">${picture('')}</span>\n`
    : `<a class="logo" data-position="${position}" href="${escapeHtml(link)}" target="_blank" rel="noopener">${picture(new URL(link).hostname)}</a>\n`
}

/** Returns null for an unknown or replaced logo. */
const findLogo = async (queryable: Queryable, name: string): Promise<Buffer | null> => {
  if (!/^[0-9a-f]{32}\.(?:png|jpg)$/.test(name)) return null
  const row = await queryable
    .selectFrom('player_logos as l')
    .innerJoin('projects as p', 'p.id', 'l.project_id')
    .select('l.picture')
    .where('l.name', '=', name)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.picture ?? null
}

/** Needs no token, like posters: a logo reveals nothing about a video. */
export const registerLogoPictureRoute = (app: HttpServer, { kysely }: Database): void => {
  const params = Type.Object({ name: Type.String() })
  app.get('/p/logos/:name', { schema: { hide: true, params } }, async (request, reply) => {
    const { name } = request.params
    const body = await findLogo(kysely, name)
    if (body === null) throw nothing()
    const type = name.endsWith('.png') ? 'image/png' : 'image/jpeg'
    return sendMedia(request, reply, { body, type, cacheControl: immutable })
  })
}
