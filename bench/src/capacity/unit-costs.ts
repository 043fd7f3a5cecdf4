/** Cost of one unit of work. CPU in seconds of one core of the machine in docs/sizing.md. */
export interface UnitCosts {
  readonly encodedMinute: { readonly cpu: number; readonly storedMegabytes: number; readonly reads: number }
  readonly file: {
    readonly cpu: number
    readonly postgresCpu: number
    readonly transactions: number
    readonly walBytes: number
    readonly writes: number
    readonly reads: number
    readonly events: number
  }
  readonly uploadedGigabyte: { readonly apiCpu: number; readonly writes: number }
  readonly change: {
    readonly apiCpu: number
    readonly postgresCpu: number
    readonly transactions: number
    readonly walBytes: number
  }
  readonly delivery: {
    readonly workerCpu: number
    readonly postgresCpu: number
    readonly transactions: number
    readonly walBytes: number
  }
  readonly playStart: { readonly apiCpu: number; readonly postgresCpu: number; readonly transactions: number }
  /** A segment that no process has in memory. */
  readonly segment: {
    readonly apiCpu: number
    readonly postgresCpu: number
    readonly transactions: number
    readonly reads: number
  }
  readonly liveMinute: {
    readonly liveCpu: number
    readonly postgresCpu: number
    readonly transactions: number
    readonly walBytes: number
    readonly writes: number
  }
  readonly liveLadderCores: number
  readonly liveViewersPerCore: number
}

/**
 * Measured on two cores by `npm run bench -- --only unit-costs`, with media on S3 and beside no other work. Exceptions: the
 * encoded minute (`whole`), ladders and viewers of live streams come from their own rows. WAL of files and live minutes,
 * and transactions of segments, are assumed, because the idle installation costs more than they do.
 */
export const knownCosts: UnitCosts = {
  encodedMinute: { cpu: 56, storedMegabytes: 32, reads: 17 },
  file: {
    ...{ cpu: 1.1, postgresCpu: 0.13, transactions: 95, walBytes: 100_000 },
    ...{ writes: 11, reads: 9, events: 8 },
  },
  uploadedGigabyte: { apiCpu: 8.5, writes: 127 },
  change: { apiCpu: 0.0049, postgresCpu: 0.005, transactions: 1, walBytes: 7_000 },
  delivery: { workerCpu: 0.0013, postgresCpu: 0.0004, transactions: 1.15, walBytes: 1_300 },
  playStart: { apiCpu: 0.0053, postgresCpu: 0.0017, transactions: 8 },
  segment: { apiCpu: 0.022, postgresCpu: 0.0012, transactions: 0.5, reads: 1 },
  liveMinute: { liveCpu: 1.16, postgresCpu: 0.11, transactions: 23, walBytes: 50_000, writes: 48 },
  liveLadderCores: 2,
  liveViewersPerCore: 3_000,
}
