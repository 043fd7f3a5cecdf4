import type { Problem } from './problem.ts'

/** Keeps caller input in a message on one line. */
const onOneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

/** The error body, whose shape the API contract fixes. */
export const errorBody = (
  { status, message, code, reason, params, details }: Problem,
  requestId: string,
  shownStatus = status,
): object => ({
  error: {
    code: shownStatus,
    message: onOneLine(message),
    type: code,
    reason,
    params,
    ...(details.length > 0 ? { details } : {}),
    requestId,
  },
})
