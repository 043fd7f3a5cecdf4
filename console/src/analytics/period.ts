const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const periods = ['24h', '7d', '30d', '90d', '12m'] as const
export type Period = (typeof periods)[number]

/** Periods of whole days, as figures of files have them. */
export const dayPeriods = ['7d', '30d', '90d', '12m'] as const satisfies readonly Period[]

export interface Range {
  readonly from: string
  readonly to: string
}

export interface PeriodRange extends Range {
  readonly interval: 'hour' | 'day' | 'month'
  /** Null where the server has no figures that could be compared. */
  readonly before: Range | null
}

export const periodOf = (text: string | undefined): Period =>
  periods.find((period) => period === text) ?? '30d'

const rangeOf = (fromMs: number, toMs: number): Range => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})

const dayCounts = { '7d': 7, '30d': 30, '90d': 90 } as const

/** Returns the period that ends with the current hour. Days and months are in UTC, as in the API. */
export const rangeOfPeriod = (
  period: Period,
  nowMs: number,
  { hasHours }: { readonly hasHours: boolean },
): PeriodRange => {
  const endMs = Math.ceil(nowMs / hourMs) * hourMs
  if (period === '24h') {
    const fromMs = endMs - dayMs
    return {
      ...rangeOf(fromMs, endMs),
      interval: hasHours ? 'hour' : 'day',
      // Whole days of both periods would overlap.
      before: hasHours ? rangeOf(fromMs - dayMs, fromMs) : null,
    }
  }
  if (period === '12m') {
    const end = new Date(endMs - 1)
    const fromMs = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 11, 1)
    // Sums are kept for 400 days.
    return { ...rangeOf(fromMs, endMs), interval: 'month', before: null }
  }
  const lengthMs = dayCounts[period] * dayMs
  const fromMs = Math.floor((endMs - 1) / dayMs) * dayMs + dayMs - lengthMs
  return {
    ...rangeOf(fromMs, endMs),
    interval: 'day',
    before: rangeOf(fromMs - lengthMs, endMs - lengthMs),
  }
}
