import { messageOf } from '@zoetrope/vocabulary'
import { newMessage } from '../../../platform/base/message.ts'
import type { GuardedAgent, OutboundStream } from '../../../platform/outbound/guarded-agent.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { nameFromDisposition } from '../form/content-disposition.ts'
import { PullError } from './pull-error.ts'
import type { SourceUri } from './source-uri.ts'

const maxRedirects = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** RFC 9110 15.5.9 and 15.6, RFC 8470 5.2, RFC 6585 4: a retry of the same request may succeed. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

export interface PullLimits {
  /** Timeout for the first byte of a response. */
  readonly answerMs: number
  /** Timeout between two bytes. */
  readonly stallMs: number
  /** A source that sends less than this while the worker waits for it for `slowMs` in total is too slow. */
  readonly leastBytes: number
  readonly slowMs: number
  /** Limit from the first attempt to the last byte. */
  readonly totalMs: number
  /** Delays before each retry after an attempt without bytes; the pull fails after the last one. */
  readonly retryDelaysMs: readonly number[]
}

export interface Resumption {
  readonly offset: number
  readonly validator: string
}

export type SourceAnswer =
  | {
      readonly is: 'bytes'
      /** Offset of the first byte: 0 or the requested one. */
      readonly offset: number
      /** Size of the whole source; null when the server does not report it. */
      readonly totalBytes: number | null
      readonly validator: string | null
      readonly fileName: string | null
      readonly body: AsyncIterable<Buffer>
      readonly discard: () => void
    }
  /** Nothing is left after the offset. */
  | { readonly is: 'complete' }
  | { readonly is: 'changed' }

const text = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' ? value : (value?.[0] ?? null)

/**
 * RFC 9110 13.1.5: If-Range accepts a strong entity tag, or a date that is strong by 8.8.2.2: at least a
 * second older than the response.
 */
const validatorOf = ({ headers }: OutboundStream): string | null => {
  const tag = text(headers['etag'])
  if (tag !== null && /^"[\x21\x23-\x7e]*"$/.test(tag)) return tag
  const modified = text(headers['last-modified'])
  const isStrong = Date.parse(text(headers['date']) ?? '') - Date.parse(modified ?? '') >= 1_000
  return modified !== null && isStrong ? modified : null
}

/**
 * RFC 9110 15.3.7.3: partial responses may be combined only with the same validator. A server that ignores
 * If-Range is detected by a different one; RFC 9110 15.3.7 lets it omit headers that the client knows.
 */
const isOfOtherVersion = ({ headers }: OutboundStream, { validator }: Resumption): boolean => {
  const current = text(headers[validator.startsWith('"') ? 'etag' : 'last-modified'])
  return current !== null && current !== validator
}

const lengthOf = (value: string | null): number | null =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null

/** Follows redirects; each is a separate request and is checked like the first. */
const requestThrough = async (
  agent: GuardedAgent,
  { url, authorization }: SourceUri,
  headers: Readonly<Record<string, string>>,
  limits: PullLimits,
  signal: AbortSignal,
): Promise<{ readonly answer: OutboundStream; readonly host: string }> => {
  let target = new URL(url)
  const { origin } = target
  for (let redirects = 0; ; redirects += 1) {
    // RFC 9110 15.4: the credentials are for the first server only.
    const own = authorization !== null && target.origin === origin ? { authorization } : {}
    const answer = await agent.download(target.href, {
      headers: { ...headers, ...own },
      answerTimeoutMs: limits.answerMs,
      stallTimeoutMs: limits.stallMs,
      signal,
    })
    const location = text(answer.headers['location'])
    if (!redirectStatuses.has(answer.status) || location === null) return { answer, host: target.hostname }
    answer.discard()
    if (redirects === maxRedirects)
      throw new PullError(
        'refused',
        newMessage('source_redirects_too_often', { host: target.hostname, maxRedirects }),
      )
    if (!URL.canParse(location, target.href))
      throw new PullError('refused', newMessage('source_redirects_nowhere', { host: target.hostname }))
    target = new URL(location, target.href)
    target.username = ''
    target.password = ''
    target.hash = ''
  }
}

const refusal = (status: number, host: string): PullError => {
  const params = { host, status }
  if (isPassing(status)) return new PullError('broken', newMessage('source_not_available', params))
  if (status === 401 || status === 403)
    return new PullError('refused', newMessage('source_needs_credentials', params))
  if (status === 404 || status === 410)
    return new PullError('refused', newMessage('source_not_found', params))
  return new PullError('refused', newMessage('source_answer_unexpected', params))
}

/** Requests the source or its missing rest. Throws PullError and OutboundError. */
export const requestSource = async (
  agent: GuardedAgent,
  uri: SourceUri,
  resumption: Resumption | null,
  limits: PullLimits,
  signal: AbortSignal,
): Promise<SourceAnswer> => {
  const headers = {
    'user-agent': 'Zoetrope',
    accept: '*/*',
    // Requests the plain bytes of the file, not those of a content coding.
    'accept-encoding': 'identity',
    ...(resumption === null
      ? {}
      : { range: `bytes=${resumption.offset}-`, 'if-range': resumption.validator }),
  }
  const { answer, host } = await requestThrough(agent, uri, headers, limits, signal)
  const { status } = answer
  const range = /^bytes (?:(\d{1,15})-\d{1,15}|\*)\/(\d{1,15}|\*)$/.exec(
    text(answer.headers['content-range']) ?? '',
  )
  const common = {
    is: 'bytes',
    validator: validatorOf(answer),
    fileName: nameFromDisposition(text(answer.headers['content-disposition']) ?? undefined),
    body: answer.body,
    discard: answer.discard,
  } as const
  if (status === 200)
    return { ...common, offset: 0, totalBytes: lengthOf(text(answer.headers['content-length'])) }
  if (
    status === 206 &&
    resumption !== null &&
    Number(range?.[1]) === resumption.offset &&
    !isOfOtherVersion(answer, resumption)
  )
    return { ...common, ...resumption, totalBytes: lengthOf(range?.[2] ?? null) }
  answer.discard()
  if (resumption !== null && status === 416)
    return Number(range?.[2]) === resumption.offset ? { is: 'complete' } : { is: 'changed' }
  if (resumption !== null && status === 206) return { is: 'changed' }
  throw refusal(status, host)
}

/** Maps a network error to a pull error; returns any other error unchanged. */
export const asPullError = (error: unknown): unknown =>
  error instanceof OutboundError && error.code !== 'aborted'
    ? new PullError(error.code === 'blocked' ? 'refused' : 'broken', messageOf(error), { cause: error })
    : error
