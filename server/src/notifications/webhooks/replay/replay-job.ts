import type { JobDefinition } from '../../../platform/jobs/job-definition.ts'

export interface ReplayEventsJob {
  readonly replayId: number
  /** Number of the run that may continue the replay; jobs with another number do nothing. */
  readonly run: number
  /** How often in a row the limit on waiting deliveries was reached. */
  readonly fullLooks: number
}

/** Creates the deliveries of a replay, starting from its recorded progress. */
export const replayEventsJob: JobDefinition<ReplayEventsJob> = {
  name: 'webhook.replay',
  retryLimit: 20,
  expireInSeconds: 3_600,
}
