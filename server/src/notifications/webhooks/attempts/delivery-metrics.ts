import { Counter, Histogram } from 'prom-client'
import type { Verdict } from './read-answer.ts'

const attempts = new Counter({
  name: 'zoetrope_webhook_attempts_total',
  help: 'Webhook delivery attempts, by result.',
  labelNames: ['result'] as const,
})

const durations = new Histogram({
  name: 'zoetrope_webhook_attempt_duration_seconds',
  help: 'Time of one webhook delivery attempt until the answer of the receiver.',
  buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60],
})

const delays = new Histogram({
  name: 'zoetrope_webhook_delivery_delay_seconds',
  help: 'Time from an event to its successful delivery to one webhook.',
  buckets: [0.05, 0.1, 0.5, 2, 10, 60, 600, 7_200, 86_400],
})

export const recordAttempt = (attempt: {
  readonly result: Verdict
  readonly durationSeconds: number
  readonly eventAgeSeconds: number
}): void => {
  attempts.inc({ result: attempt.result })
  durations.observe(attempt.durationSeconds)
  if (attempt.result === 'delivered') delays.observe(Math.max(0, attempt.eventAgeSeconds))
}
