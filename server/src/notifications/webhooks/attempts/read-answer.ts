import type { OutboundAnswer } from '../../../platform/outbound/await-answer.ts'

export const maxRetryAfterSeconds = 86_400

/**
 * delivered: any 2xx; gone: 410, the receiver wants no further requests; refused: any other status, to be
 * retried.
 */
export type Verdict = 'delivered' | 'gone' | 'refused'

export interface ReadAnswer {
  readonly verdict: Verdict
  /** Sentence shown to the owner of the webhook; null when delivered. */
  readonly error: string | null
  readonly retryAfterSeconds: number | null
}

export const readAnswer = (answer: OutboundAnswer, now: Date): ReadAnswer => {
  const { status } = answer
  if (status >= 200 && status < 300) return { verdict: 'delivered', error: null, retryAfterSeconds: null }
  if (status === 410)
    return {
      verdict: 'gone',
      error: 'The receiver answered 410 Gone, so the webhook was disabled.',
      retryAfterSeconds: null,
    }
  const error =
    status >= 300 && status < 400
      ? `The receiver answered with the redirect ${status}, which is never followed; enter the final URL.`
      : `The receiver answered ${status} instead of 2xx.`
  return {
    verdict: 'refused',
    error,
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
