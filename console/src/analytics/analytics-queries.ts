import type { DimensionFilter } from '@zoetrope/vocabulary'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { filterIn, type Dimension } from './dimensions/dimensions.ts'
import { askedOf, type Metric } from './metrics.ts'
import { rangeOfPeriod, type Period, type PeriodRange, type Range } from './period.ts'

export type FileFigures = Awaited<ReturnType<typeof zoetrope.analytics.ofFile>>
export type Realtime = Awaited<ReturnType<typeof zoetrope.analytics.realtime>>

export interface Filters extends Readonly<Partial<Record<DimensionFilter, string>>> {
  readonly projectId?: string
  readonly fileId?: string
}

/** The API has neither viewers nor percentiles by dimension. */
export const isMeasured = (metric: Metric, filters: Filters): boolean =>
  filterIn(filters) === null || (metric !== 'uniqueviewers' && askedOf(metric).percentile === undefined)

type Answer = Awaited<ReturnType<typeof zoetrope.analytics.get>>
type Values = Answer & { readonly metric: Metric; readonly interval: 'hour' | 'day' | 'month' }

type Query = NonNullable<Parameters<typeof zoetrope.analytics.get>[1]>

const valuesQuery = (metric: Metric, query: Query) =>
  queryOptions({
    queryKey: [...queryKeys.analytics, metric, query],
    // While another metric or period loads, the earlier one stays on the screen, with its own units.
    queryFn: async ({ signal }): Promise<Values> => {
      const { name, ...measurement } = askedOf(metric)
      return {
        ...(await zoetrope.analytics.get(name, { ...query, ...measurement }, { signal })),
        metric,
        interval: query.interval ?? 'day',
      }
    },
    placeholderData: keepPreviousData,
  })

const minuteMs = 60_000

/** The range of a period, renewed each hour. */
export const useRange = (period: Period, hasHours: boolean): PeriodRange => {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return useMemo(() => rangeOfPeriod(period, nowMs, { hasHours }), [period, nowMs, hasHours])
}

export interface MetricValues {
  readonly range: PeriodRange
  readonly now: Values | undefined
  /** Undefined while it loads, and where the period cannot be compared. */
  readonly before: Values | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** A metric over time, with the period before. */
export const useMetric = (metric: Metric, period: Period, filters: Filters): MetricValues => {
  const hasHours = metric !== 'uniqueviewers' && filters.fileId === undefined && filterIn(filters) === null
  const enabled = isMeasured(metric, filters)
  const range = useRange(period, hasHours)
  const { from, to, interval, before } = range
  const now = useQuery({ ...valuesQuery(metric, { from, to, interval, ...filters }), enabled })
  const earlier = useQuery({
    ...valuesQuery(metric, { ...(before ?? { from, to }), interval, ...filters }),
    enabled: enabled && before !== null,
  })
  return {
    range,
    now: enabled ? now.data : undefined,
    before: !enabled || before === null || earlier.isPlaceholderData ? undefined : earlier.data,
    error: now.error,
    retry: () => void now.refetch(),
  }
}

export type Grouping = 'project' | 'file' | Dimension

export const breakdownQuery = (
  metric: Metric,
  groupBy: Grouping,
  { from, to }: Range,
  filters: Filters,
  limit: number,
) => valuesQuery(metric, { from, to, groupBy, ...filters, limit })

const realtimeEveryMs = 10_000

export const realtimeQuery = (scope: { readonly projectId?: string; readonly stream?: 'live' | 'vod' }) =>
  queryOptions({
    queryKey: [...queryKeys.analytics, 'realtime', scope],
    queryFn: async ({ signal }) => zoetrope.analytics.realtime(scope, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: realtimeEveryMs,
  })

/** Files by their ids, which is all that the figures contain. */
export const useFiles = (ids: readonly (number | string)[]) => {
  const { data = [], isPending } = useQuery({
    queryKey: [...queryKeys.events, 'analytics-files', ids],
    queryFn: async ({ signal }) => {
      const query = { ids: ids.join(','), includeDeleted: true, limit: ids.length }
      return (await zoetrope.files.listAll(query, { signal })).Files
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return { files: data, isPending: isPending && ids.length > 0 }
}

export interface FileAnalytics {
  readonly figures: FileFigures
  readonly retention: Awaited<ReturnType<typeof zoetrope.analytics.retention>>['Parts']
  readonly heat: Awaited<ReturnType<typeof zoetrope.analytics.heatmap>>['Parts']
  readonly hotspots: Awaited<ReturnType<typeof zoetrope.analytics.hotspots>>['Hotspots']
}

export const fileAnalyticsQuery = (projectId: number, fileId: number, { from, to }: Range) =>
  queryOptions({
    queryKey: [...queryKeys.analytics, 'file', projectId, fileId, from, to],
    queryFn: async ({ signal }): Promise<FileAnalytics> => {
      const query = { from, to }
      const [figures, retention, heatmap, hotspots] = await Promise.all([
        zoetrope.analytics.ofFile(projectId, fileId, query, { signal }),
        zoetrope.analytics.retention(projectId, fileId, query, { signal }),
        zoetrope.analytics.heatmap(projectId, fileId, query, { signal }),
        zoetrope.analytics.hotspots(projectId, fileId, query, { signal }),
      ])
      return { figures, retention: retention.Parts, heat: heatmap.Parts, hotspots: hotspots.Hotspots }
    },
    placeholderData: keepPreviousData,
  })
