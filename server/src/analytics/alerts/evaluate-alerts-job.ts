import type { JobDefinition } from '../../platform/jobs/job-definition.ts'

// In a file of its own: every process declares all jobs, but only the worker runs this one.
export const evaluateAlertsJob: JobDefinition<Record<string, never>> = {
  name: 'analytics.alerts',
  retryLimit: 0,
  expireInSeconds: 300,
}
export const evaluateAlertsCron = '* * * * *'
