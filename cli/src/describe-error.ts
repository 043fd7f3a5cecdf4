import { ApiError } from '@zoetrope/sdk'
import { exitCodeOf } from './exit-codes.ts'

/** For people: the sentence, each wrong field, and what an operator finds in the logs. */
const errorText = (error: Error): string => {
  if (!(error instanceof ApiError)) return `${error.message}\n`
  const details = error.details.map(({ field, issue }) => `\n  ${field}: ${issue}`).join('')
  return `${error.message}${details}${error.requestId === null ? '' : `\nRequest id: ${error.requestId}`}\n`
}

/** With --json one document for programs. */
export const describeError = (error: Error, isJson: boolean): string => {
  if (!isJson) return errorText(error)
  const api =
    error instanceof ApiError
      ? { Status: error.status, Type: error.type, Details: error.details, RequestId: error.requestId }
      : {}
  return `${JSON.stringify({ Error: { ExitCode: exitCodeOf(error), Message: error.message, ...api } })}\n`
}
