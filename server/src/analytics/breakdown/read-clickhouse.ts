import { viewAfterMs } from '../sessions/apply-report.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import {
  groupOf,
  mostGroups,
  sumNames,
  type BreakdownQuestion,
  type EngineRow,
  type Group,
  type GroupSums,
} from './breakdown.ts'

const sums = {
  sessions: 'count()',
  views: `countIf(watch_ms >= ${viewAfterMs})`,
  watchMs: 'sum(watch_ms)',
  startups: 'count(startup_ms)',
  startupMs: 'sum(ifNull(startup_ms, 0))',
  rebuffers: 'sum(rebuffers)',
  rebufferMs: 'sum(rebuffer_ms)',
  failures: 'countIf(has_failed and not has_started)',
  errors: 'countIf(has_failed and has_started)',
} as const satisfies Record<keyof GroupSums, string>

const summed = sumNames.map((name, index) => `toFloat64(${sums[name]}) as s${index}`).join(', ')

/** Names of dimensions are parameters. */
const keyOf = (name: string, index: number): string => {
  if (name === 'project') return 'toString(project_id)'
  if (name === 'file') return 'toString(file_id)'
  if (name === 'day') return 'toString(toDate(ended_at))'
  return `if(mapContains(dimensions, {d${index}:String}), dimensions[{d${index}:String}], null)`
}

const instant = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

/** Groups the views that were sent to ClickHouse. `final` leaves out rows that a repeated batch has written twice. */
export const groupSent = async (
  clickHouse: ClickHouse,
  { accountId, projectIds, fileIds, from, to, by }: BreakdownQuestion,
  lastId: number,
): Promise<Group[]> => {
  const keys = by.map((name, index) => `${keyOf(name, index)} as k${index}`)
  const rows = await clickHouse.query<EngineRow>(
    `select ${keys.join(', ')}, ${summed} from views final
    where account_id = {account:UInt64} and kind = 'viewer' and id <= {last:UInt64}
      and ended_at >= {from:DateTime64(3, 'UTC')} and ended_at < {to:DateTime64(3, 'UTC')}
      ${projectIds === null ? '' : 'and project_id in {projects:Array(UInt64)}'}
      ${fileIds === null ? '' : 'and file_id in {files:Array(UInt64)}'}
    group by ${by.map((_, index) => `k${index}`).join(', ')} order by s1 desc limit ${mostGroups}`,
    {
      ...{ account: accountId, last: lastId, from: instant(from), to: instant(to) },
      ...(projectIds === null ? {} : { projects: projectIds }),
      ...(fileIds === null ? {} : { files: fileIds }),
      ...Object.fromEntries(by.map((name, index) => [`d${index}`, name])),
    },
  )
  return rows.map((row) => groupOf(row, by.length))
}
