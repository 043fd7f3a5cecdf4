import type { Message } from '@zoetrope/vocabulary'
import { newMessage } from '../../../platform/base/message.ts'
import type { OutboundAnswer } from '../../../platform/outbound/await-answer.ts'

export const maxRetryAfterSeconds = 86_400

/**
 * delivered: any 2xx; gone: 410, the receiver wants no further requests; refused: any other status, to be
 * retried.
 */
export type Verdict = 'delivered' | 'gone' | 'refused'

export interface ReadAnswer {
  readonly verdict: Verdict
  /** Shown to the owner of the webhook; null when delivered. */
  readonly error: Message | null
  readonly retryAfterSeconds: number | null
}

export const readAnswer = (answer: OutboundAnswer, now: Date): ReadAnswer => {
  const { status } = answer
  if (status >= 200 && status < 300) return { verdict: 'delivered', error: null, retryAfterSeconds: null }
  if (status === 410) return { verdict: 'gone', error: newMessage('receiver_gone'), retryAfterSeconds: null }
  const isRedirect = status >= 300 && status < 400
  return {
    verdict: 'refused',
    error: newMessage(isRedirect ? 'receiver_redirected' : 'receiver_answered', { status }),
    retryAfterSeconds: retryAfterSecondsOf(answer.headers['retry-after'], now),
  }
}

/** Parses Retry-After, which is a number of seconds or a date (RFC 9110, section 10.2.3). */
const retryAfterSecondsOf = (header: string | string[] | undefined, now: Date): number | null => {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text.trim())) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000)
}
