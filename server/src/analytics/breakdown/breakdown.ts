import { viewAfterMs } from '../sessions/apply-report.ts'

/** What the views of a group add up to. */
export interface GroupSums {
  readonly sessions: number
  readonly views: number
  readonly watchMs: number
  readonly startups: number
  readonly startupMs: number
  readonly rebuffers: number
  readonly rebufferMs: number
  readonly failures: number
  readonly errors: number
}

export interface Group extends GroupSums {
  /** A value for each part of `by`; null where it was not measured. */
  readonly keys: readonly (string | null)[]
}

export interface BreakdownQuestion {
  readonly accountId: number
  /** Null = all. */
  readonly projectIds: readonly number[] | null
  readonly fileIds: readonly number[] | null
  readonly from: Date
  readonly to: Date
  /** `project`, `file`, `day`, or the name of a dimension. */
  readonly by: readonly string[]
}

/** Groups of more kinds than this are cut to the largest, before those of both stores are added. */
export const mostGroups = 20_000

/**
 * Sums over rows of views, in the SQL of PostgreSQL and of DuckDB. DuckDB adds integers with 128 bits and filters each count
 * apart: sums of doubles, which are exact here, and counts of a case take a quarter less time over many groups.
 */
export const sums = {
  sessions: 'count(*)',
  views: `count(case when watch_ms >= ${viewAfterMs} then 1 end)`,
  watchMs: 'sum(watch_ms::double precision)',
  startups: 'count(startup_ms)',
  startupMs: 'coalesce(sum(startup_ms::double precision), 0)',
  rebuffers: 'sum(rebuffers::double precision)',
  rebufferMs: 'sum(rebuffer_ms::double precision)',
  failures: 'count(case when has_failed and not has_started then 1 end)',
  errors: 'count(case when has_failed and has_started then 1 end)',
} as const satisfies Record<keyof GroupSums, string>

export const sumNames = Object.keys(sums) as (keyof GroupSums)[]

export const sumColumns = sumNames.map((_, index) => `s${index}`)

/** Names of columns are case-insensitive in one of the engines, so they have numbers. */
export const summed = sumNames
  .map((name, index) => `cast(${sums[name]} as double precision) as s${index}`)
  .join(', ')

export type EngineRow = Readonly<Record<string, string | number | boolean | null>>

export const groupOf = (row: EngineRow, keys: number): Group => ({
  ...(Object.fromEntries(
    sumNames.map((name, index) => [name, Number(row[`s${index}`])]),
  ) as unknown as GroupSums),
  keys: Array.from({ length: keys }, (_, index) => {
    const key = row[`k${index}`]
    return typeof key === 'string' ? key : null
  }),
})

/** A view is in one store only, so groups of both add up. */
export const addGroups = (...parts: readonly (readonly Group[])[]): Group[] => {
  const merged = new Map<string, Group>()
  for (const group of parts.flat()) {
    const name = JSON.stringify(group.keys)
    const known = merged.get(name)
    merged.set(
      name,
      known === undefined
        ? group
        : {
            ...(Object.fromEntries(
              sumNames.map((sum) => [sum, known[sum] + group[sum]]),
            ) as unknown as GroupSums),
            keys: group.keys,
          },
    )
  }
  return [...merged.values()]
}

const namesOfRecords = new Set(['project', 'file', 'day'])

export const isFine = (by: readonly string[]): boolean => by.some((name) => !namesOfRecords.has(name))

/** The largest groups. Groups of few sessions are left out, because they could describe one viewer. */
export const largestGroups = (
  groups: readonly Group[],
  by: readonly string[],
  { limit, smallestGroup }: { readonly limit: number; readonly smallestGroup: number },
): Group[] =>
  groups
    .filter(({ sessions }) => !isFine(by) || sessions >= smallestGroup)
    .toSorted(
      (one, other) =>
        other.views - one.views ||
        other.sessions - one.sessions ||
        (JSON.stringify(one.keys) < JSON.stringify(other.keys) ? -1 : 1),
    )
    .slice(0, limit)
