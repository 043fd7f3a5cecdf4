import { Counter } from 'prom-client'

const dropped = new Counter({
  name: 'zoetrope_view_reports_dropped_total',
  help: 'Reports of players that this process did not count, by reason.',
  labelNames: ['reason'],
})

const counted = new Counter({
  name: 'zoetrope_view_reports_total',
  help: 'Lines of reports of players that this process accepted.',
})

/**
 * malformed: not CMCD, or without session and time; excess: more lines than allowed in one request; limited: too many requests; late: repeated
 * or overtaken; gap: too long after the line before; impossible: more time than has passed; overload: too many wait for the database.
 */
export type DropReason = 'malformed' | 'excess' | 'limited' | 'late' | 'gap' | 'impossible' | 'overload'

export const dropReport = (reason: DropReason, count = 1): void => dropped.inc({ reason }, count)

export const countReports = (count: number): void => counted.inc(count)
