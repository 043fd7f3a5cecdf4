import type { JobDefinition } from '../kernel/jobs/jobs.ts'

export interface ReplayEventsJob {
  readonly replayId: number
  /** Of the jobs of this replay the one that may go on. */
  readonly run: number
  /** How often in a row there was no room for more deliveries. */
  readonly fullLooks: number
}

/** Makes the deliveries of a replay, from where it has got to. */
export const replayEventsJob: JobDefinition<ReplayEventsJob> = {
  name: 'webhook.replay',
  retryLimit: 20,
  expireInSeconds: 3_600,
}
