import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { otherValues, unknownValue } from '../dimensions/names.ts'
import { renditionDimensions } from '../dimensions/renditions.ts'

export interface RealtimeScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
  /** Null = both. */
  readonly stream: 'live' | 'vod' | null
}

/** Players report every 30 seconds, and a report takes some seconds until it is added. */
const presentSeconds = 45

/** Views that are playing now. */
export const arePresent = ({ accountId, projectIds, stream }: RealtimeScope) => sql<boolean>`
  account_id = ${accountId} and (${projectIds === null} or project_id = any(${[...(projectIds ?? [])]}::bigint[]))
    and (${stream}::text is null or state->'dimensions'->>'stream' = ${stream}) and kind = 'viewer' and is_playing
    and seen_at > now() - ${presentSeconds}::int * interval '1 second'`

export interface ValueCount {
  readonly Value: string
  readonly Viewers: number
}

const mostValues = 50

/** The most frequent value first; `other` last. */
const countsOf = (values: ReadonlyMap<string, number>, smallestGroup: number): ValueCount[] => {
  const all = [...values]
    .map(([Value, Viewers]) => ({ Value, Viewers }))
    .toSorted((one, other) => other.Viewers - one.Viewers || (one.Value < other.Value ? -1 : 1))
  const isShown = ({ Value, Viewers }: ValueCount, index: number): boolean =>
    index < mostValues && (Value === unknownValue || Viewers >= smallestGroup)
  const rest = all.filter((one, index) => !isShown(one, index)).reduce((sum, { Viewers }) => sum + Viewers, 0)
  return [...all.filter(isShown), ...(rest === 0 ? [] : [{ Value: otherValues, Viewers: rest }])]
}

/** Few viewers of a country could point to a person, those of a rendition cannot. */
const noSmallestGroup = 1

export const readPresentValues = async (
  queryable: Queryable,
  scope: RealtimeScope,
  smallestGroup: number,
): Promise<{ readonly Countries: ValueCount[]; readonly Renditions: ValueCount[] }> => {
  const { rows } = await sql<{ country: string | null; rendition: string | null; viewers: number }>`
    select state->'dimensions'->>'country' as country, state->>'rendition' as rendition, count(*)::bigint as viewers
    from open_views where ${arePresent(scope)} group by 1, 2`.execute(queryable)
  const countries = new Map<string, number>()
  const renditions = new Map<string, number>()
  for (const { country, rendition, viewers } of rows) {
    const named = country ?? unknownValue
    const { rendition: size } = renditionDimensions(rendition)
    countries.set(named, (countries.get(named) ?? 0) + viewers)
    renditions.set(size, (renditions.get(size) ?? 0) + viewers)
  }
  return {
    Countries: countsOf(countries, smallestGroup),
    Renditions: countsOf(renditions, noSmallestGroup),
  }
}
