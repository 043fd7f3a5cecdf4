import type { JobDefinition } from '../kernel/jobs/jobs.ts'

export interface ReplayEventsJob {
  readonly replayId: number
}

/** Makes the deliveries of a replay, from where it has got to. */
export const replayEventsJob: JobDefinition<ReplayEventsJob> = {
  name: 'webhook.replay',
  retryLimit: 20,
  expireInSeconds: 3_600,
}
