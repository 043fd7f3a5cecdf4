import { instantText } from '../../../platform/http/openapi/openapi-query.ts'
import { parseInstantParameter } from '../../../platform/http/requests/query-values.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { Type } from 'typebox'

export const intervals = ['hour', 'day', 'month'] as const
export type Interval = (typeof intervals)[number]

export interface Period {
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
}

const dayMs = 86_400_000
const hourMs = 3_600_000
const defaultDays = 30
const mostDays = 400
const mostHourDays = 31

export const periodQuery = {
  from: Type.Optional(
    instantText('Start, rounded down to an hour, or to a day in UTC. Default: 30 days before `to`.'),
  ),
  to: Type.Optional(instantText('End, exclusive, rounded up in the same way. Default: now.')),
}

const roundDown = (atMs: number, stepMs: number): Date => new Date(Math.floor(atMs / stepMs) * stepMs)
const roundUp = (atMs: number, stepMs: number): Date => new Date(Math.ceil(atMs / stepMs) * stepMs)

/** Parses `from` and `to`. Sums have a resolution of an hour, those of files and dimensions of a day. */
export const parsePeriod = (
  query: { readonly from?: string; readonly to?: string },
  resolution: 'hour' | 'day',
  now = Date.now(),
): Period => {
  const stepMs = resolution === 'hour' ? hourMs : dayMs
  const toMs = query.to === undefined ? now : parseInstantParameter(query.to, 'to').getTime()
  const fromMs =
    query.from === undefined
      ? toMs - defaultDays * dayMs
      : parseInstantParameter(query.from, 'from').getTime()
  if (fromMs >= toMs) throw invalidField('to', 'not_later_than', { other: 'from' })
  if (toMs - fromMs > mostDays * dayMs) throw invalidField('from', 'period_too_long', { days: mostDays })
  return { from: roundDown(fromMs, stepMs), to: roundUp(toMs, stepMs) }
}

export const startOf = (at: Date, interval: Interval): Date => {
  if (interval === 'hour') return roundDown(at.getTime(), hourMs)
  if (interval === 'day') return roundDown(at.getTime(), dayMs)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

export const nextOf = (start: Date, interval: Interval): Date =>
  interval === 'month'
    ? new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
    : new Date(start.getTime() + (interval === 'hour' ? hourMs : dayMs))

/** Returns the start of each interval of the period. Throws 'invalid' for too many. */
export const startsOf = ({ from, to }: Period, interval: Interval): Date[] => {
  if (interval === 'hour' && to.getTime() - from.getTime() > mostHourDays * dayMs)
    throw invalidField('interval', 'interval_too_short', { days: mostHourDays })
  const starts: Date[] = []
  for (let start = startOf(from, interval); start < to; start = nextOf(start, interval)) starts.push(start)
  return starts
}
