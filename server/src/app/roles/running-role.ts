export interface RunningRole {
  /** Lets running work finish within the grace period, then aborts it. */
  readonly stop: (graceMs: number) => Promise<void>
}
