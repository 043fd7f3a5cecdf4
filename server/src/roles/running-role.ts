/** A role that has been started in this process. */
export interface RunningRole {
  /** Lets what is under way end for so long, then ends it. */
  readonly stop: (graceMs: number) => Promise<void>
}
