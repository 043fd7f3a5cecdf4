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
 * Measured on two cores (docs/sizing.md): encoded minute (`whole`), stored bytes, start of a play (three requests of
 * `reads`), viewers and ladders of live streams. Calculated: S3 writes of uploads (parts of 8 MiB) and of DVR windows (a PUT for
 * each video and each audio segment of 2 s). All others are assumed: replace them by the figures of `npm run bench -- --only unit-costs`.
 */
export const knownCosts: UnitCosts = {
  encodedMinute: { cpu: 56, storedMegabytes: 32, reads: 1 },
  file: {
    ...{ cpu: 3, postgresCpu: 0.05, transactions: 100, walBytes: 100_000 },
    ...{ writes: 20, reads: 5, events: 8 },
  },
  uploadedGigabyte: { apiCpu: 5, writes: 121 },
  change: { apiCpu: 0.001, postgresCpu: 0.0005, transactions: 1, walBytes: 5_000 },
  delivery: { workerCpu: 0.0005, postgresCpu: 0.0005, transactions: 0.1, walBytes: 1_000 },
  playStart: { apiCpu: 0.0003, postgresCpu: 0.0002, transactions: 1 },
  segment: { apiCpu: 0.002, postgresCpu: 0.0001, transactions: 0.5, reads: 1 },
  liveMinute: { liveCpu: 0.6, postgresCpu: 0.02, transactions: 60, walBytes: 50_000, writes: 60 },
  liveLadderCores: 2,
  liveViewersPerCore: 3_000,
}
