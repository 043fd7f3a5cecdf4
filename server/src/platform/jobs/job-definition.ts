/** Defines a job: its name, the shape of its data and its retries. A handler passed to `work` executes it. */
export interface JobDefinition<Data extends object> {
  readonly name: string
  readonly retryLimit: number
  /** Time limit of one run; pg-boss allows at most 24 h. */
  readonly expireInSeconds: number
  /** At most one job per `key` waits or runs; enqueueing another one is a no-op. */
  readonly isExclusive?: true
  /** Name of the job that gets this one's data when all attempts failed, also those of crashed workers. */
  readonly onGivenUp?: string
  /** Ties `Data` to the definition; never set. */
  readonly data?: Data
}
