import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { addViewers, countViewers } from '../sessions/viewer-sketch.ts'
import { limitValues } from './limit-values.ts'
import { histogramNames, measureNames, minuteMeasures } from './measures.ts'
import type { Sums } from './sums.ts'

const columns = sql.raw(measureNames.join(', '))
const ofRow = sql.raw(measureNames.map((name) => `r.${name}`).join(', '))
const typed = sql.raw(measureNames.map((name) => `${name} bigint`).join(', '))
const added = (table: string): RawBuilder<unknown> =>
  sql.raw(measureNames.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', '))

/** Adds arrays place by place; the shorter one ends with zeros. */
const addedArrays = (table: string, names: readonly string[]): RawBuilder<unknown> =>
  sql.raw(
    names
      .map(
        (name) => `${name} = case when cardinality(excluded.${name}) = 0 then ${table}.${name}
          else array(select coalesce(stored, 0) + coalesce(added, 0)
            from unnest(${table}.${name}, excluded.${name}) with ordinality as places(stored, added, place)
            order by place) end`,
      )
      .join(', '),
  )
const histograms = sql.raw(histogramNames.join(', '))
const typedHistograms = sql.raw(histogramNames.map((name) => `${name} integer[]`).join(', '))

type Rows = ReadonlyMap<string, { readonly row: object; readonly value: object }>

/** In the order of their keys, so that two transactions cannot deadlock. */
const recordsOf = (rows: Rows): string =>
  JSON.stringify(
    [...rows]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { row, value }]) => ({ ...row, ...value })),
  )

/** Files may be purged meanwhile; their sums are purged with them. */
const ofExistingFile = sql`join media_files f on f.account_id = r.account_id and f.id = r.file_id`

const writeMeasures = async (tx: Tx, sums: Sums): Promise<void> => {
  if (sums.hours.size > 0)
    await sql`
      insert into view_hours (account_id, project_id, hour, ${columns}, ${histograms})
      select account_id, project_id, hour, ${columns}, ${histograms}
      from jsonb_to_recordset(${recordsOf(sums.hours)}::jsonb)
        as r(account_id bigint, project_id bigint, hour timestamptz, ${typed}, ${typedHistograms})
      on conflict (account_id, project_id, hour) do update set ${added('view_hours')},
        ${addedArrays('view_hours', histogramNames)}`.execute(tx)
  if (sums.dimensionDays.size > 0) {
    const days = await limitValues(tx, sums.dimensionDays)
    await sql`
      insert into view_dimension_days (account_id, project_id, day, dimension, value, ${columns})
      select account_id, project_id, day, dimension, value, ${columns}
      from jsonb_to_recordset(${recordsOf(days)}::jsonb)
        as r(account_id bigint, project_id bigint, day date, dimension text, value text, ${typed})
      on conflict (account_id, project_id, dimension, day, value)
        do update set ${added('view_dimension_days')}`.execute(tx)
  }
  if (sums.fileDays.size > 0)
    await sql`
      insert into file_view_days (account_id, project_id, file_id, day, ${columns}, ${histograms})
      select r.account_id, r.project_id, r.file_id, r.day, ${ofRow}, ${histograms}
      from jsonb_to_recordset(${recordsOf(sums.fileDays)}::jsonb)
        as r(account_id bigint, project_id bigint, file_id bigint, day date, ${typed}, ${typedHistograms})
      ${ofExistingFile}
      on conflict (account_id, file_id, day, project_id) do update set ${added('file_view_days')},
        ${addedArrays('file_view_days', histogramNames)}`.execute(tx)
}

const ofMinute = ['viewers', ...minuteMeasures]
const minuteColumns = sql.raw(ofMinute.join(', '))
const minuteTyped = sql.raw(ofMinute.map((name) => `${name} bigint`).join(', '))
const minuteOfRow = sql.raw(ofMinute.map((name) => `r.${name}`).join(', '))
const minutesAdded = (table: string): RawBuilder<unknown> =>
  sql.raw(ofMinute.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', '))

const writeMinutes = async (tx: Tx, { minutes, fileMinutes }: Sums): Promise<void> => {
  if (minutes.size > 0)
    await sql`
      insert into view_minutes (account_id, project_id, minute, ${minuteColumns})
      select account_id, project_id, minute, ${minuteColumns} from jsonb_to_recordset(${recordsOf(minutes)}::jsonb)
        as r(account_id bigint, project_id bigint, minute timestamptz, ${minuteTyped})
      on conflict (account_id, project_id, minute) do update set ${minutesAdded('view_minutes')}`.execute(tx)
  if (fileMinutes.size > 0)
    await sql`
      insert into file_view_minutes (account_id, file_id, minute, ${minuteColumns})
      select r.account_id, r.file_id, r.minute, ${minuteOfRow}
      from jsonb_to_recordset(${recordsOf(fileMinutes)}::jsonb)
        as r(account_id bigint, file_id bigint, minute timestamptz, ${minuteTyped})
      ${ofExistingFile}
      on conflict (account_id, file_id, minute)
        do update set ${minutesAdded('file_view_minutes')}`.execute(tx)
}

const writeHeat = async (tx: Tx, { heat }: Sums): Promise<void> => {
  if (heat.size === 0) return
  await sql`
    insert into file_heat_days (account_id, file_id, day, played_ms, reached, views)
    select r.account_id, r.file_id, r.day, r."playedMs", r.reached, r.views
    from jsonb_to_recordset(${recordsOf(heat)}::jsonb)
      as r(account_id bigint, file_id bigint, day date, "playedMs" bigint[], reached bigint[], views bigint)
    ${ofExistingFile}
    on conflict (account_id, file_id, day)
      do update set ${addedArrays('file_heat_days', ['played_ms', 'reached'])},
        views = file_heat_days.views + excluded.views`.execute(tx)
}

interface Sketch {
  readonly position: number
  readonly viewers: number
  /** Null for a day that has ended. */
  readonly sketch: string | null
}

/** Adds the new viewers to each sketch; `position` is the index of the row. */
const nextSketches = (rows: Rows, known: readonly Sketch[]): string => {
  const sketches = new Map(known.map((one) => [one.position, one]))
  return JSON.stringify(
    [...rows.values()].map(({ row, value }, position) => {
      const before = sketches.get(position)
      const sketch = before?.sketch ?? null
      const next = addViewers(
        sketch === null ? null : Buffer.from(sketch, 'base64'),
        value as ReadonlySet<string>,
      )
      const hasEnded = before !== undefined && sketch === null
      return hasEnded
        ? { ...row, viewers: before.viewers + countViewers(next), sketch }
        : { ...row, viewers: countViewers(next), sketch: next.toString('base64') }
    }),
  )
}

const keysOf = (rows: Rows): string =>
  JSON.stringify([...rows.values()].map(({ row }, position) => ({ ...row, position })))

const writeViewers = async (tx: Tx, { viewers, fileViewers }: Sums): Promise<void> => {
  if (viewers.size > 0) {
    const { rows } = await sql<Sketch>`
      select r.position, v.viewers, encode(v.sketch, 'base64') as sketch
      from jsonb_to_recordset(${keysOf(viewers)}::jsonb)
        as r(account_id bigint, project_id bigint, day date, position int)
      join viewer_days v using (account_id, project_id, day)`.execute(tx)
    await sql`
      insert into viewer_days (account_id, project_id, day, viewers, sketch)
      select account_id, project_id, day, viewers, decode(sketch, 'base64')
      from jsonb_to_recordset(${nextSketches(viewers, rows)}::jsonb)
        as r(account_id bigint, project_id bigint, day date, viewers bigint, sketch text)
      on conflict (account_id, project_id, day)
        do update set viewers = excluded.viewers, sketch = excluded.sketch`.execute(tx)
  }
  if (fileViewers.size > 0) {
    const { rows } = await sql<Sketch>`
      select r.position, v.viewers, encode(v.sketch, 'base64') as sketch
      from jsonb_to_recordset(${keysOf(fileViewers)}::jsonb)
        as r(account_id bigint, file_id bigint, day date, position int)
      join file_viewer_days v using (account_id, file_id, day)`.execute(tx)
    await sql`
      insert into file_viewer_days (account_id, file_id, day, viewers, sketch)
      select r.account_id, r.file_id, r.day, r.viewers, decode(r.sketch, 'base64')
      from jsonb_to_recordset(${nextSketches(fileViewers, rows)}::jsonb)
        as r(account_id bigint, file_id bigint, day date, viewers bigint, sketch text)
      ${ofExistingFile}
      on conflict (account_id, file_id, day)
        do update set viewers = excluded.viewers, sketch = excluded.sketch`.execute(tx)
  }
}

/** Adds the sums to their tables, with one statement for each table. */
export const writeSums = async (tx: Tx, sums: Sums): Promise<void> => {
  await writeMeasures(tx, sums)
  await writeMinutes(tx, sums)
  await writeHeat(tx, sums)
  await writeViewers(tx, sums)
}
