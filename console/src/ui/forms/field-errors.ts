import { ApiError, type ErrorDetail } from '@zoetrope/sdk'
import { issueOf } from '../../shell/reason-text.ts'
import { textOf } from '../../shell/texts.ts'

/** The list that an item belongs to: `Tags[2]` → `Tags`. One field shows it. */
export const listOf = (field: string): string => field.replace(/\[\d+\]$/, '')

/** A sentence below the label of the field. A newer server may send an issue that has no text here. */
const sentenceOf = (detail: ErrorDetail): string => {
  const issue = issueOf(detail)
  return issue === null ? detail.issue : textOf('ui.problem', 'value', { issue })
}

/** An error of an item is one of its list, too. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.flatMap((detail) =>
          [listOf(detail.field), detail.field].map((field) => [field, sentenceOf(detail)]),
        ),
      )
    : {}
