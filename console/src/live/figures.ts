import type { LiveStatus } from './live-queries.ts'

/** Data of the graph in columns, as uPlot expects. Null without a measurement, which leaves a gap. */
export interface Figures {
  /** Seconds since 1970. */
  readonly at: readonly number[]
  readonly kilobitsPerSecond: readonly (number | null)[]
  readonly framesPerSecond: readonly (number | null)[]
}

export const noFigures: Figures = { at: [], kilobitsPerSecond: [], framesPerSecond: [] }

/** Ten minutes of figures every two seconds. */
const maxPoints = 300

const totalBitRate = ({ Video, Audio }: Pick<LiveStatus, 'Video' | 'Audio'>): number | null => {
  const rates = [Video?.BitRate, Audio?.BitRate].filter((rate) => rate != null)
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0)
}

/** Appends the figures of a response. Ignores a repeated or older response. */
export const withFigures = (
  figures: Figures,
  status: Pick<LiveStatus, 'Video' | 'Audio'>,
  measuredAtMs: number,
): Figures => {
  const at = measuredAtMs / 1_000
  if (at <= (figures.at.at(-1) ?? 0)) return figures
  const rate = totalBitRate(status)
  const last = <T>(all: readonly T[], next: T): T[] => [...all, next].slice(-maxPoints)
  return {
    at: last(figures.at, at),
    kilobitsPerSecond: last(figures.kilobitsPerSecond, rate === null ? null : rate / 1_000),
    framesPerSecond: last(figures.framesPerSecond, status.Video?.FrameRate ?? null),
  }
}
