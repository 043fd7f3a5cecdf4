import { formatNumber } from '../../ui/format.ts'

export const formatLatency = (milliseconds: number): string =>
  milliseconds < 1_000
    ? `${formatNumber(milliseconds)} ms`
    : `${formatNumber(Math.round(milliseconds / 100) / 10)} s`
