import { ApiError, ConnectionError, TimeoutError, type ErrorDetail, type ErrorParams } from '@zoetrope/sdk'
import { currentLanguage, textOf, textOfCode, type Translate } from './texts.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Shows points in time in the language and time zone of the user. */
const shownParams = (params: ErrorParams): ErrorParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && instant.test(value)
        ? new Date(value).toLocaleString(currentLanguage())
        : value,
    ]),
  )

/** Text of an issue with one field, which follows its name. */
export const issueText = ({ issue, reason, params }: ErrorDetail): string =>
  textOfCode('problems.issues', reason, shownParams(params)) ?? issue

/** What the server calls a value that is not a field. */
const subjectOf = (field: string): string => {
  if (field === 'The body' || field === '') return textOf('problems.general', 'body')
  return field === 'The picture' ? textOf('problems.general', 'picture') : field
}

const sentenceOf = (detail: ErrorDetail): string => `${subjectOf(detail.field)} ${issueText(detail)}`

/** Renders a reason in the language of the user. A newer server may send one that has no text here. */
const refusalText = ({ reason, params, details, message }: ApiError): string => {
  if (details.length > 1) return `${details.map(sentenceOf).join('; ')}.`
  const issue = textOfCode('problems.issues', reason, shownParams(params))
  if (issue !== null) return `${subjectOf(String(params['field']))} ${issue}.`
  return textOfCode('problems.reasons', reason, shownParams(params)) ?? message
}

export const problemText = (t: Translate<'problems.general'>, error: unknown): string => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return t('unreachable')
  if (error instanceof ApiError) return error.status === 412 ? t('stale') : refusalText(error)
  return t('unknown', { message: error instanceof Error ? error.message : String(error) })
}
