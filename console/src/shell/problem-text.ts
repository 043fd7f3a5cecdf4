import { ApiError, ConnectionError, TimeoutError, type ErrorDetail } from '@zoetrope/sdk'
import { issueOf, reasonText, subjectOf } from './reason-text.ts'
import type { Translate } from './texts.ts'

/** Text of an issue with one field, which follows its name. */
const issueText = (detail: ErrorDetail): string => issueOf(detail) ?? detail.issue

const sentenceOf = (detail: ErrorDetail): string => `${subjectOf(detail.field)} ${issueText(detail)}`

/** The message of an internal error asks the user to report the id of the request. */
const requestIdOf = ({ reason, requestId }: ApiError): string =>
  reason === 'internal_error' && requestId !== null ? ` (${requestId})` : ''

/** Renders a reason in the language of the user. A newer server may send one that has no text here. */
const refusalText = (error: ApiError): string =>
  error.details.length > 1
    ? `${error.details.map(sentenceOf).join('; ')}.`
    : (reasonText(error) ?? error.message) + requestIdOf(error)

/** The API addresses developers, who send a key. */
const sessionEnds = ['authentication_required', 'not_signed_in', 'access_revoked']

export const problemText = (t: Translate<'ui.problem'>, error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return t('unreachable')
  if (error instanceof ApiError && sessionEnds.includes(error.reason)) return t('sessionEnded')
  if (error instanceof ApiError) return error.status === 412 ? t('stale') : refusalText(error)
  return t('unknown', { message: error instanceof Error ? error.message : String(error) })
}
