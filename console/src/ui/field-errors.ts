import { ApiError } from '@zoetrope/sdk'
import { germanIssue } from '../shell/german-problems.ts'
import { currentLanguage } from '../shell/texts.ts'

export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.details.map(({ field, issue }) => [
          field,
          currentLanguage() === 'de' ? germanIssue(issue) : issue,
        ]),
      )
    : {}
