import type { Message, MessageParams } from '@zoetrope/vocabulary'

/**
 * `blocked`: refused before sending, until the target or the settings change. `failed`: a retry may succeed.
 */
export type OutboundErrorCode = 'blocked' | 'failed' | 'timeout' | 'aborted'

/** Reason for a missing response; the message is a sentence for the owner of the target. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode
  readonly reason: string
  readonly params: MessageParams

  constructor(code: OutboundErrorCode, { reason, params, text }: Message, options: { cause?: unknown } = {}) {
    super(text, options)
    this.name = 'OutboundError'
    this.code = code
    this.reason = reason
    this.params = params
  }
}
