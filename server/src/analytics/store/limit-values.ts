import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { otherValues } from '../dimensions/names.ts'
import { measureNames } from './measures.ts'
import type { DimensionDays } from './sums.ts'

/** Strangers choose some values, so a day of a dimension has no more rows than this. */
export const mostValues = 500

interface Known {
  readonly position: number
  readonly isKnown: boolean
  readonly count: number
}

/** Adds what exceeds the rows of a day to the value `other`. */
export const limitValues = async (tx: Tx, days: DimensionDays): Promise<DimensionDays> => {
  const cells = [...days.values()]
  const keys = cells.map(({ row }, position) => ({ ...row, position }))
  const { rows } = await sql<Known>`
    with r as (
      select * from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        as r(account_id bigint, project_id bigint, day date, dimension text, value text, position int)
    ), full_days as (
      select g.*, (
        select count(*) from (
          select 1 from view_dimension_days v
          where (v.account_id, v.project_id, v.dimension, v.day) = (g.account_id, g.project_id, g.dimension, g.day)
          limit ${mostValues}
        ) counted) as count
      from (select distinct account_id, project_id, dimension, day from r) g
    )
    select r.position, f.count::int as count, exists (
      select from view_dimension_days v
      where (v.account_id, v.project_id, v.dimension, v.day, v.value) = (r.account_id, r.project_id, r.dimension, r.day, r.value)
    ) as "isKnown"
    from r join full_days f using (account_id, project_id, dimension, day)`.execute(tx)
  const left = new Map<string, number>()
  const kept: DimensionDays = new Map()
  for (const { position, isKnown, count } of rows.toSorted((one, other) => one.position - other.position)) {
    const cell = cells[position]
    if (cell === undefined) continue
    const { row, value } = cell
    const day = JSON.stringify({ ...row, value: null })
    const free = left.get(day) ?? mostValues - 1 - count
    const isKept = isKnown || row.value === otherValues || free > 0
    if (isKept && !isKnown) left.set(day, free - 1)
    const place = { ...row, value: isKept ? row.value : otherValues }
    const sum = kept.get(JSON.stringify(place))?.value
    if (sum === undefined) kept.set(JSON.stringify(place), { row: place, value: { ...value } })
    else for (const name of measureNames) sum[name] += value[name]
  }
  return kept
}
