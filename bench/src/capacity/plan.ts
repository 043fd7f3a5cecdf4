import { logNormal } from './random.ts'
import { serversFor, type QueueResult } from './simulate-queue.ts'
import { peakOf, type Demand } from './demand.ts'
import { cdnPrice, type Prices } from './prices.ts'
import type { UnitCosts } from './unit-costs.ts'

const daysOfMonth = 30
const monthSeconds = daysOfMonth * 86_400
const hoursOfMonth = daysOfMonth * 24

/** With ZOETROPE_DATABASE_CONNECTIONS=4. An api process and a live node run JavaScript on one core each. */
const connectionsOf = { api: 4, live: 4, worker: 9 } as const

export interface Plan {
  readonly encodes: { readonly workers: number; readonly cores: number; readonly queue: QueueResult }
  readonly apiProcesses: number
  readonly liveNodes: number
  readonly databaseCores: number
  readonly connections: number
  /** At the busiest hour, per second. */
  readonly peak: {
    readonly playStarts: number
    readonly segments: number
    readonly transactions: number
    readonly walMegabytes: number
    readonly deliveries: number
    readonly s3Writes: number
    readonly s3Reads: number
    readonly gigabitsOfViewers: number
    readonly gigabitsOfOrigin: number
  }
  /** Amounts in a month. */
  readonly month: {
    readonly storedTerabytes: number
    readonly millionWrites: number
    readonly millionReads: number
    readonly petabytesOfViewers: number
  }
  readonly dollars: Readonly<Record<'cores' | 'storage' | 'requests' | 'cdn', number>>
}

export const makePlan = (demand: Demand, costs: UnitCosts, prices: Prices, seed: number): Plan => {
  const peakFactor = peakOf(demand)
  /** Per second at the busiest hour, of a number a month. */
  const atPeak = (perMonth: number): number => (perMonth / monthSeconds) * peakFactor
  const { files, plays, liveStreams } = demand

  const service = (random: () => number): number =>
    (logNormal(random, demand.meanMinutes, demand.minutesSpread) * costs.encodedMinute.cpu + costs.file.cpu) /
    demand.coresPerWorker
  const arrivalsPerDay = files / daysOfMonth
  const meanService = (demand.meanMinutes * costs.encodedMinute.cpu + costs.file.cpu) / demand.coresPerWorker
  const { servers: workers, result: queue } = serversFor(
    { seed, days: 3, arrivalsPerDay, hours: demand.hours, service },
    demand.maxEncodeWaitSeconds,
    Math.ceil((arrivalsPerDay / 86_400) * meanService),
  )

  const uploadedGigabytes = (files * demand.meanMinutes * 60 * demand.sourceMegabitsPerSecond) / 8_000
  const playedGigabytes = (plays * demand.meanPlayMinutes * 60 * demand.playMegabitsPerSecond) / 8_000
  const segments = (plays * demand.meanPlayMinutes * 60) / demand.segmentSeconds
  const missed = segments * demand.cdnMisses
  const changes = files * demand.apiRequestsPerFile
  const deliveries = files * costs.file.events * demand.webhooksPerEvent
  const liveMinutes = (liveStreams / peakFactor) * (monthSeconds / 60)

  const sum = (of: 'postgresCpu' | 'transactions'): number =>
    files * costs.file[of] +
    changes * costs.change[of] +
    deliveries * costs.delivery[of] +
    plays * costs.playStart[of] +
    missed * costs.segment[of] +
    liveMinutes * costs.liveMinute[of]
  const walBytes =
    files * costs.file.walBytes +
    changes * costs.change.walBytes +
    deliveries * costs.delivery.walBytes +
    liveMinutes * costs.liveMinute.walBytes
  const writes =
    files * costs.file.writes +
    uploadedGigabytes * costs.uploadedGigabyte.writes +
    liveMinutes * costs.liveMinute.writes
  const reads =
    files * costs.file.reads +
    files * demand.meanMinutes * costs.encodedMinute.reads +
    missed * costs.segment.reads

  const apiCpu =
    plays * costs.playStart.apiCpu +
    missed * costs.segment.apiCpu +
    uploadedGigabytes * costs.uploadedGigabyte.apiCpu +
    changes * costs.change.apiCpu
  const apiProcesses = Math.max(2, Math.ceil(atPeak(apiCpu) / demand.utilization))
  const liveCores =
    (liveStreams * costs.liveMinute.liveCpu) / 60 +
    liveStreams * demand.liveLadders * costs.liveLadderCores +
    demand.liveViewers / costs.liveViewersPerCore
  const liveNodes = Math.max(2, Math.ceil(liveCores / demand.utilization))
  const workerCores =
    workers * demand.coresPerWorker + Math.ceil(atPeak(deliveries * costs.delivery.workerCpu))
  const databaseCores = Math.max(2, Math.ceil(atPeak(sum('postgresCpu')) / demand.utilization))
  const storedGigabytes =
    files * demand.meanMinutes * (costs.encodedMinute.storedMegabytes / 1_000) + uploadedGigabytes

  return {
    encodes: { workers, cores: workers * demand.coresPerWorker, queue },
    apiProcesses,
    liveNodes,
    databaseCores,
    connections:
      apiProcesses * connectionsOf.api + liveNodes * connectionsOf.live + workers * connectionsOf.worker,
    peak: {
      playStarts: atPeak(plays),
      segments: atPeak(missed),
      transactions: atPeak(sum('transactions')),
      walMegabytes: atPeak(walBytes) / 1e6,
      deliveries: atPeak(deliveries),
      s3Writes: atPeak(writes),
      s3Reads: atPeak(reads),
      gigabitsOfViewers: atPeak(playedGigabytes) * 8,
      gigabitsOfOrigin: atPeak(playedGigabytes) * 8 * demand.cdnMisses,
    },
    month: {
      storedTerabytes: storedGigabytes / 1_000,
      millionWrites: writes / 1e6,
      millionReads: reads / 1e6,
      petabytesOfViewers: playedGigabytes / 1e6,
    },
    dollars: {
      cores: (workerCores + apiProcesses + liveNodes + databaseCores) * hoursOfMonth * prices.perCoreHour,
      storage: storedGigabytes * prices.perStoredGigabyteMonth,
      requests: (writes / 1e6) * prices.perMillionPuts + (reads / 1e6) * prices.perMillionGets,
      cdn: cdnPrice(prices, playedGigabytes),
    },
  }
}
