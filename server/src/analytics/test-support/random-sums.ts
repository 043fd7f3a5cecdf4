import { expect } from 'vitest'
import type { TestServer } from '../../../test/support/test-server.ts'
import type { PlayableFile } from '../../playback/test-support/playable-file.ts'
import { histogramNames, measureNames } from '../store/measures.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

export const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()

/** Repeatable numbers from 0 to 1. */
const createRandom = (seed: number) => (): number => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}

/** Days before this one to which sums are added. Some are too old to be kept, and some in the future. */
const [oldestDay, newestDay] = [408, -4]

/** Adds sums of hours and days with zeros, gaps, and histograms of different lengths. */
export const addRandomSums = async (
  { services }: Pick<TestServer, 'services'>,
  files: readonly PlayableFile[],
): Promise<void> => {
  const { kysely } = services.database
  const random = createRandom(7)
  const integer = (below: number): number => Math.floor(random() * below)
  const measures = () =>
    Object.fromEntries(measureNames.map((name) => [name, integer(4) * integer(1_000)])) as Record<
      (typeof measureNames)[number],
      number
    >
  const steps = () => Array.from({ length: integer(12) }, () => integer(5))
  const histograms = () => ({ startup_counts: steps(), latency_counts: steps() })
  const { account_id } = await kysely
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', files[0]?.projectId ?? 0)
    .executeTakeFirstOrThrow()
  const today = Math.floor(Date.now() / dayMs) * dayMs
  for (const [index, { id: file_id, projectId: project_id }] of files.entries()) {
    const days = Array.from(
      { length: oldestDay - newestDay + 1 },
      (_, day) => today - (oldestDay - day) * dayMs,
    )
    const some = () => days.filter(() => random() < 0.4)
    const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
    await kysely
      .insertInto('view_hours')
      .values(
        some().flatMap((ms) =>
          [integer(12), 12 + integer(12)].map((hour) => ({
            ...{ account_id, project_id, hour: new Date(ms + hour * hourMs) },
            ...measures(),
            ...histograms(),
          })),
        ),
      )
      .execute()
    // A file that was moved has sums in two projects.
    const projects = index === 0 ? [project_id, files[1]?.projectId ?? 0] : [project_id]
    for (const project of projects)
      await kysely
        .insertInto('file_view_days')
        .values(
          some().map((ms) => ({
            ...{ account_id, project_id: project, file_id, day: dayOf(ms) },
            ...measures(),
            ...histograms(),
          })),
        )
        .execute()
    await kysely
      .insertInto('file_viewer_days')
      .values(some().map((ms) => ({ account_id, file_id, day: dayOf(ms), viewers: integer(900) })))
      .execute()
    for (const value of ['a', 'b', 'c'])
      await kysely
        .insertInto('view_dimension_days')
        .values(
          some().map((ms) => ({
            account_id,
            project_id,
            day: dayOf(ms),
            dimension: 'site',
            value,
            ...measures(),
          })),
        )
        .execute()
  }
}

/** A row of any of the tables. */
export interface SumRow {
  readonly atMs: number
  readonly project_id?: number
  readonly file_id?: number
  readonly value?: string
}

const followers = {
  view_hours: 'view_days',
  file_view_days: 'file_view_months',
  file_viewer_days: 'file_viewer_months',
  view_dimension_days: 'view_dimension_months',
} as const
type Table = keyof typeof followers | (typeof followers)[keyof typeof followers]

export const readRows = async (
  { services }: Pick<TestServer, 'services'>,
  table: Table,
): Promise<SumRow[]> => {
  const rows: readonly Record<string, unknown>[] = await services.database.kysely
    .selectFrom(table)
    .selectAll()
    .execute()
  return rows.map((row) => ({
    ...row,
    atMs: new Date((row['month'] ?? row['day'] ?? row['hour']) as string | Date).getTime(),
  }))
}

type Sums = Partial<Record<(typeof measureNames)[number] | 'viewers', number>> &
  Partial<Record<(typeof histogramNames)[number], number[]>>

/** Adds up measures, viewers and histograms. Zeros at the end of a histogram are left out. */
export const sumRows = (rows: readonly SumRow[]): Sums => {
  const numbers = Object.fromEntries(
    [...measureNames, 'viewers'].map((name) => [
      name,
      rows.reduce((sum, row) => sum + Number((row as unknown as Record<string, unknown>)[name] ?? 0), 0),
    ]),
  )
  const histograms = histogramNames.map((name) => {
    const counts: number[] = []
    for (const row of rows)
      for (const [step, count] of ((row as unknown as Record<string, number[]>)[name] ?? []).entries())
        counts[step] = (counts[step] ?? 0) + count
    while (counts.at(-1) === 0) counts.pop()
    return [name, counts]
  })
  return { ...numbers, ...Object.fromEntries(histograms) }
}

/** Compares each sum of a day or a month with the rows that it is made of. */
export const expectFollowingSums = async (server: Pick<TestServer, 'services'>): Promise<void> => {
  for (const [parts, sums] of Object.entries(followers) as [keyof typeof followers, Table][]) {
    const keyOf = (row: SumRow): string => {
      const at = new Date(row.atMs).toISOString().slice(0, 10)
      const period = sums === 'view_days' ? at : at.replace(/..$/, '01')
      return JSON.stringify([row.project_id, row.file_id, row.value, period])
    }
    const described = (rows: readonly SumRow[]) =>
      Object.fromEntries(
        [...Map.groupBy(rows, keyOf)].map(([key, group]) => [
          key,
          {
            ...sumRows(group),
            count: group.reduce((sum, row) => sum + ((row as { row_count?: number }).row_count ?? 1), 0),
          },
        ]),
      )
    const found = (await readRows(server, sums)).filter(
      (row) => (row as { row_count?: number }).row_count !== 0,
    )
    expect(described(found), sums).toEqual(described(await readRows(server, parts)))
  }
}
