import { ApiError } from '@zoetrope/sdk'
import { issueText } from '../../shell/problem-text.ts'

export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(error.details.map((detail) => [detail.field, issueText(detail)]))
    : {}
