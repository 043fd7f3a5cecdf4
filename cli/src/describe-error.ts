import { ApiError } from '@zoetrope/sdk'
import { asCalled } from './as-called.ts'
import { exitCodeOf } from './exit-codes.ts'
import { escapedJson, printable } from './output.ts'

/** For people: the sentence, each wrong field, and what an operator finds in the logs. */
const errorText = (error: Error): string => {
  if (!(error instanceof ApiError)) return error.message
  // Of one field the sentence says it all.
  const isTold = error.details.length === 1 && error.message.includes(error.details[0]?.issue ?? '')
  const details = (isTold ? [] : error.details).map(({ field, issue }) => `\n  ${field}: ${issue}`).join('')
  return `${error.message}${details}${error.requestId === null ? '' : `\nRequest id: ${error.requestId}`}`
}

/** With --json one document for programs. */
export const describeError = (error: Error, isJson: boolean, env: NodeJS.ProcessEnv): string => {
  // Files and fields stand in it by names that strangers have given.
  if (!isJson) return `${asCalled(errorText(error), env).split('\n').map(printable).join('\n')}\n`
  const api =
    error instanceof ApiError
      ? { Status: error.status, Type: error.type, Details: error.details, RequestId: error.requestId }
      : {}
  const Message = asCalled(error.message, env)
  return `${escapedJson({ Error: { ExitCode: exitCodeOf(error), Message, ...api } })}\n`
}
