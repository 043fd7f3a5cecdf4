import type UPlot from 'uplot'

export const chartColors = {
  now: { light: '#4f50c8', dark: '#a9abfa' },
  before: { light: '#8b909c', dark: '#7d828e' },
} as const

/** Range from zero; metrics such as ratios are far below one. */
export const fromZeroTo =
  (headroom: number): UPlot.Range.Function =>
  (_chart, _min, max) => [0, max > 0 ? max * headroom : 1]

const tickPixels = 84

/** Ticks at values of the series, as many as fit. Months have no constant length. */
export const spacedTicks = (chart: UPlot): number[] => {
  const times = [...(chart.data[0] ?? [])]
  const fitting = Math.max(1, Math.floor(chart.width / tickPixels))
  const step = Math.max(1, Math.ceil(times.length / fitting))
  return times.filter((_time, place) => place % step === 0)
}
