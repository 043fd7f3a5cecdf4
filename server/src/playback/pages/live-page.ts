import { escapeHtml } from '../../platform/http/responses/escape-html.ts'
import { themeAttributes, tokenAttributes, type EmbedPage } from './embed-document.ts'
import type { Database } from '../../platform/db/database.ts'
import { nothing } from '../access/find-playout.ts'
import { refusalOf, type LiveAccess } from '../live/live-access.ts'
import { logoMarkup } from './player-logo.ts'

/**
 * Returns the origins of all public live nodes, because the stream may move between them while the page is
 * open.
 */
const nodeOrigins = async ({ kysely }: Database): Promise<string[]> => {
  const nodes = await kysely
    .selectFrom('live_nodes')
    .select('public_url')
    .distinct()
    .where('public_url', 'is not', null)
    .execute()
  return nodes.flatMap(({ public_url: url }) => (url === null ? [] : [new URL(url).origin]))
}

/**
 * Returns the embed page of a live stream, the same before, during and after a broadcast. `base` is the path
 * prefix with the token, or empty.
 */
export const livePage = async (
  {
    database,
    liveAccess,
  }: {
    readonly database: Database
    readonly liveAccess: LiveAccess
  },
  { playoutId, token }: { readonly playoutId: string; readonly token?: string },
  { base, tokenExpiresAt }: { readonly base: string; readonly tokenExpiresAt: Date | null },
): Promise<EmbedPage> => {
  const facts = await liveAccess.factsOf(playoutId)
  const refusal = refusalOf(facts, liveAccess.grantOf(playoutId, token ?? null))
  if (facts === null || refusal !== null) throw refusal ?? nothing()
  const attributes = [
    `data-base="${base}/l/${playoutId}"`,
    `data-title="${escapeHtml(facts.title)}"`,
    `data-board="${escapeHtml(facts.boardText)}"`,
    ...tokenAttributes(tokenExpiresAt),
    ...themeAttributes(facts.playerColor),
  ]
  return {
    title: facts.title === '' ? 'Live' : facts.title,
    domains: facts.allowedDomains.length === 0 ? null : facts.allowedDomains,
    mediaOrigins: await nodeOrigins(database),
    script: 'live.js',
    card: { width: 640, height: 360, picture: null, durationSeconds: null, isSoundOnly: false },
    body: `<main class="stage" id="live" ${attributes.join(' ')}>
${logoMarkup(facts.playerLogo)}</main>
`,
  }
}
