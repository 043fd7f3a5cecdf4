import { ApiError } from '@zoetrope/sdk'
import { issueText } from '../../shell/problem-text.ts'

/** The list that an item belongs to: `Tags[2]` → `Tags`. One field shows it. */
export const listOf = (field: string): string => field.replace(/\[\d+\]$/, '')

/** An error of an item is one of its list, too. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.flatMap((detail) =>
          [listOf(detail.field), detail.field].map((field) => [field, issueText(detail)]),
        ),
      )
    : {}
