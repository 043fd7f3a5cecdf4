import { ApiError, ConnectionError, TimeoutError } from '@zoetrope/sdk'
import { InterruptedError } from './confirm.ts'
import { UsageError } from './usage-error.ts'

/** Stable exit codes for scripts; docs/command-line.md has the same table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unreachable: 5,
  interrupted: 130,
} as const

const byStatus: Readonly<Record<number, number>> = {
  401: exitCodes.refused,
  403: exitCodes.refused,
  404: exitCodes.notFound,
  502: exitCodes.unreachable,
  503: exitCodes.unreachable,
  504: exitCodes.unreachable,
}

export const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof InterruptedError) return exitCodes.interrupted
  if (error instanceof ConnectionError || error instanceof TimeoutError) return exitCodes.unreachable
  if (error instanceof ApiError) return byStatus[error.status] ?? exitCodes.failed
  return exitCodes.failed
}
