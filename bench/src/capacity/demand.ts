/** Demand of an installation in a month. Replace it with `--demand <file>`. */
export interface Demand {
  readonly files: number
  readonly meanMinutes: number
  /** Standard deviation of the logarithm of the minutes: most files are short, few are long. */
  readonly minutesSpread: number
  readonly sourceMegabitsPerSecond: number
  readonly plays: number
  readonly meanPlayMinutes: number
  readonly playMegabitsPerSecond: number
  /** Duration of a segment in the playlists of viewers. */
  readonly segmentSeconds: number
  /** Share of the segments that the CDN does not have in its cache. */
  readonly cdnMisses: number
  /** At the same time, at the busiest hour. */
  readonly liveStreams: number
  /** Share of them with a ladder that is encoded in real time. */
  readonly liveLadders: number
  /** Live viewers that live nodes serve at the busiest hour, behind the CDN. */
  readonly liveViewers: number
  /** Endpoints that receive each event. */
  readonly webhooksPerEvent: number
  /** API requests of back ends for each file, beside the upload. */
  readonly apiRequestsPerFile: number
  /** Relative load of each hour of a day. */
  readonly hours: readonly number[]
  /** Longest wait of 95 % of the encodes. */
  readonly maxEncodeWaitSeconds: number
  /** Share of the processor that is busy at the busiest hour. */
  readonly utilization: number
  readonly coresPerWorker: number
}

/** A day with a calm night and a peak in the evening, which is 1.9 times the mean. */
const hours = [
  0.4, 0.3, 0.2, 0.2, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0, 1.1, 1.1, 1.2, 1.2, 1.2, 1.2, 1.3, 1.4, 1.7, 1.9, 1.9,
  1.7, 1.3, 0.8,
]

export const defaultDemand: Demand = {
  files: 1e6,
  meanMinutes: 5,
  minutesSpread: 1.2,
  sourceMegabitsPerSecond: 8,
  plays: 1e9,
  meanPlayMinutes: 2.5,
  playMegabitsPerSecond: 3,
  segmentSeconds: 4,
  cdnMisses: 0.02,
  liveStreams: 1e4,
  liveLadders: 0,
  liveViewers: 5e4,
  webhooksPerEvent: 1,
  apiRequestsPerFile: 20,
  hours,
  maxEncodeWaitSeconds: 60,
  utilization: 0.6,
  coresPerWorker: 4,
}

export const peakOf = ({ hours: all }: Pick<Demand, 'hours'>): number =>
  Math.max(...all) / (all.reduce((sum, hour) => sum + hour, 0) / all.length)
