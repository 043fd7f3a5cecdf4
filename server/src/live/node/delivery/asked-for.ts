import { parseLiveResource, type LiveResource } from '../../../playback/live/live-address.ts'
import type { LiveQuestion } from './live-answer.ts'
import { parseReloadQuery, type ReloadQuery } from './reload-query.ts'

export type AskedFor =
  | { readonly type: 'status' }
  | { readonly type: 'poster' }
  | { readonly type: 'time' }
  | { readonly type: 'beacon' }
  | { readonly type: 'broadcast'; readonly question: LiveQuestion }

/** Thousands of viewers request the same resource at the same moment, so each address is parsed once. */
const maxKnown = 2_000

const whatThereIs: ReloadQuery = { reload: null, isDelta: false }

/** A standard playlist has no parts, so a reload waits for a whole segment. */
const ofWholeSegments = ({ reload, isDelta }: ReloadQuery): ReloadQuery => ({
  reload: reload && { number: reload.number },
  isDelta,
})

const reloadOf = (resource: LiveResource, query: string): ReloadQuery => {
  if (resource.type !== 'playlist') return whatThereIs
  const reload = parseReloadQuery(query)
  return resource.isLowLatency ? reload : ofWholeSegments(reload)
}

const askedFor = (resource: LiveResource, query: string): AskedFor => {
  const { type } = resource
  if (type === 'status' || type === 'poster' || type === 'time' || type === 'beacon') return { type }
  const reload = reloadOf(resource, query)
  const key = JSON.stringify([resource, reload])
  return { type: 'broadcast', question: { resource, ...reload, key } }
}

/**
 * Parses the path and query after the playout id. Returns null for an unknown resource. Throws 'invalid' when
 * a query is malformed.
 */
export const createAskedForReader = (): ((rest: string) => AskedFor | null) => {
  const known = new Map<string, AskedFor>()
  return (rest) => {
    const read = known.get(rest)
    if (read !== undefined) return read
    const [name = '', query = ''] = rest.split(/\?(.*)/s)
    const resource = parseLiveResource(name)
    if (resource === null) return null
    const asked = askedFor(resource, query)
    if (known.size >= maxKnown) known.clear()
    known.set(rest, asked)
    return asked
  }
}
