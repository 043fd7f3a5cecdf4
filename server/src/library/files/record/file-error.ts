import type { Message } from '@zoetrope/vocabulary'
import { storedParams } from '../../../platform/base/message.ts'

/** The columns that say what failed; null clears them. */
export const errorColumns = (message: Message | null) => ({
  error_message: message?.text ?? null,
  error_reason: message?.reason ?? null,
  error_params: message === null ? null : storedParams(message.params),
})
