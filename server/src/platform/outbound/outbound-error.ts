/**
 * `blocked`: refused before sending, until the target or the settings change. `failed`: a retry may succeed.
 */
export type OutboundErrorCode = 'blocked' | 'failed' | 'timeout' | 'aborted'

/** Reason for a missing response; the message is a sentence for the owner of the target. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'OutboundError'
    this.code = code
  }
}
