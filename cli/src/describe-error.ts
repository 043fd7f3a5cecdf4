import { ApiError } from '@zoetrope/sdk'
import { asCalled } from './as-called.ts'
import { exitCodeOf } from './exit-codes.ts'
import { escapedJson, printable } from './output/output.ts'

const errorText = (error: Error): string => {
  if (!(error instanceof ApiError)) return error.message
  // With a single field, the message contains the issue already.
  const isInMessage = error.details.length === 1 && error.message.includes(error.details[0]?.issue ?? '')
  const details = (isInMessage ? [] : error.details)
    .map(({ field, issue }) => `\n  ${field}: ${issue}`)
    .join('')
  return `${error.message}${details}${error.requestId === null ? '' : `\nRequest id: ${error.requestId}`}`
}

/** With --json, returns one JSON document. */
export const describeError = (error: Error, isJson: boolean, env: NodeJS.ProcessEnv): string => {
  // The text may contain file names and fields of untrusted users.
  if (!isJson) return `${asCalled(errorText(error), env).split('\n').map(printable).join('\n')}\n`
  const api =
    error instanceof ApiError
      ? { Status: error.status, Type: error.type, Details: error.details, RequestId: error.requestId }
      : {}
  const Message = asCalled(error.message, env)
  return `${escapedJson({ Error: { ExitCode: exitCodeOf(error), Message, ...api } })}\n`
}
