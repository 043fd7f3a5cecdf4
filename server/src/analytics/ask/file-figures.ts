import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { heatParts } from '../sessions/heat.ts'
import { measureNames } from '../store/measures.ts'
import type { Period } from './sums/period.ts'
import { summedSteps } from './sums/read-sums.ts'

export interface FileOfAccount {
  readonly accountId: number
  readonly fileId: number
}

const dayText = (instant: Date): string => instant.toISOString().slice(0, 10)
const ofFile = ({ accountId, fileId }: FileOfAccount, { from, to }: Period) =>
  sql`account_id = ${accountId} and file_id = ${fileId} and day >= ${dayText(from)}::date and day < ${dayText(to)}::date`

const summed = sql.raw(measureNames.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '))

export const readFileSums = async (
  queryable: Queryable,
  file: FileOfAccount,
  period: Period,
): Promise<ViewMeasures & { readonly viewers: number }> => {
  const { rows } = await sql<ViewMeasures & { viewers: number }>`
    select ${summed}, (select coalesce(sum(viewers), 0)::bigint from file_viewer_days
      where ${ofFile(file, period)}) as viewers
    from file_view_days where ${ofFile(file, period)}`.execute(queryable)
  const [row] = rows
  if (row === undefined) throw new Error('a sum without a row')
  return row
}

export interface Heat {
  /** Views of the current source. */
  readonly views: number
  readonly playedMs: readonly number[]
  readonly reached: readonly number[]
}

export const readHeat = async (queryable: Queryable, file: FileOfAccount, period: Period): Promise<Heat> => {
  const { rows } = await sql<{ part: number; played_ms: number; reached: number }>`
    select part::int, sum(parts.played)::bigint as played_ms, sum(parts.reached)::bigint as reached
    from file_heat_days h,
      unnest(h.played_ms, h.reached) with ordinality as parts(played, reached, part)
    where ${ofFile(file, period)} group by part`.execute(queryable)
  const { rows: sums } = await sql<{ views: number }>`
    select coalesce(sum(views), 0)::bigint as views from file_heat_days where ${ofFile(file, period)}`.execute(
    queryable,
  )
  const byPart = new Map(rows.map((row) => [row.part - 1, row]))
  const parts = Array.from({ length: heatParts }, (_, part) => part)
  return {
    views: sums[0]?.views ?? 0,
    playedMs: parts.map((part) => byPart.get(part)?.played_ms ?? 0),
    reached: parts.map((part) => byPart.get(part)?.reached ?? 0),
  }
}

export interface Part {
  readonly Start: number
  readonly End: number
  readonly Plays: number
}

/** Reads the histogram of the startup times. */
export const readFileStartups = async (
  queryable: Queryable,
  file: FileOfAccount,
  period: Period,
): Promise<readonly number[]> => {
  const { rows } = await sql<{ counts: number[] }>`
    select ${summedSteps('startup_counts')} as counts from file_view_days where ${ofFile(file, period)}`.execute(
    queryable,
  )
  return rows[0]?.counts ?? []
}

/** Start and end of a part, rounded to milliseconds. */
export const timesOf = (
  part: number,
  lengthSeconds: number,
): { readonly Start: number; readonly End: number } => {
  const startsAt = (index: number): number => Math.round((index * lengthSeconds * 1_000) / heatParts) / 1_000
  return { Start: startsAt(part), End: startsAt(part + 1) }
}

/** How often each part was played, parts played in part included: 1.5 is one whole play and a half. */
export const playsOf = ({ playedMs }: Heat, lengthSeconds: number): Part[] => {
  const partSeconds = lengthSeconds / heatParts
  return playedMs.map((ms, part) => ({
    ...timesOf(part, lengthSeconds),
    Plays: partSeconds === 0 ? 0 : ms / 1_000 / partSeconds,
  }))
}

const mostHotspots = 5
/** A hotspot is played this much more often than the mean part. */
const aboveMean = 1.2

/** Returns runs of parts that are played far above the mean, the most played first. */
export const hotspotsOf = (parts: readonly Part[]): Part[] => {
  const mean = parts.reduce((sum, { Plays }) => sum + Plays, 0) / parts.length
  const runs: Part[][] = []
  let isInRun = false
  for (const part of parts) {
    const isHot = part.Plays > 0 && part.Plays >= mean * aboveMean
    if (isHot && isInRun) runs.at(-1)?.push(part)
    else if (isHot) runs.push([part])
    isInRun = isHot
  }
  return runs
    .map((run) => ({
      Start: run[0]?.Start ?? 0,
      End: run.at(-1)?.End ?? 0,
      Plays: Math.max(...run.map(({ Plays }) => Plays)),
    }))
    .toSorted((one, other) => other.Plays - one.Plays)
    .slice(0, mostHotspots)
}
