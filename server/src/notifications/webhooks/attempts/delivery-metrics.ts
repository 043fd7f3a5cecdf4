import { Counter } from 'prom-client'
import type { Verdict } from './read-answer.ts'

const attempts = new Counter({
  name: 'zoetrope_webhook_attempts_total',
  help: 'Webhook delivery attempts, by result.',
  labelNames: ['result'] as const,
})

export const countAttempt = (result: Verdict): void => attempts.inc({ result })
