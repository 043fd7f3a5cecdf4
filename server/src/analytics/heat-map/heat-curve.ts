import type { Heat } from '../ask/file-figures.ts'

/** Each part compared with the most played one, in hundredths: counts cannot be read from it. */
export const heatCurveOf = ({ playedMs }: Pick<Heat, 'playedMs'>): number[] => {
  const most = Math.max(...playedMs)
  return most === 0 ? [] : playedMs.map((ms) => Math.round((100 * ms) / most) / 100)
}
