import type { Message, MessageParams } from '@zoetrope/vocabulary'

/** A message for people, with a stable code for programs. */
export interface LiveReason {
  readonly code: string
  readonly message: string
  /** Missing for warnings, whose code says as much. */
  readonly reason?: string
  readonly params?: MessageParams
}

export const liveReason = (code: string, { reason, params, text }: Message): LiveReason => ({
  code,
  message: text,
  reason,
  params,
})
