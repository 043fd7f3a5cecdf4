import { Counter } from 'prom-client'
import type { Verdict } from './read-answer.ts'

const attempts = new Counter({
  name: 'zoetrope_webhook_attempts_total',
  help: 'Attempts to deliver an event to a webhook, by what came of them.',
  labelNames: ['result'] as const,
})

export const countAttempt = (result: Verdict): void => attempts.inc({ result })
