/** blocked: refused before anything was sent, and will be until the target or the settings change; failed: it may work the next time. */
export type OutboundErrorCode = 'blocked' | 'failed' | 'timeout' | 'aborted'

/** Why there was no answer; the message is a sentence for the person who owns the target. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode

  constructor(code: OutboundErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'OutboundError'
    this.code = code
  }
}
