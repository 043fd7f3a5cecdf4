import type { Message, MessageParams } from '@zoetrope/vocabulary'

/**
 * Reason that a source could not be fetched, as a sentence for its owner. `broken`: a retry may succeed and
 * resumes; `refused`: it will not.
 */
export class PullError extends Error {
  readonly kind: 'broken' | 'refused'
  readonly reason: string
  readonly params: MessageParams

  constructor(
    kind: 'broken' | 'refused',
    { reason, params, text }: Message,
    options: { readonly cause?: unknown } = {},
  ) {
    super(text, options)
    this.name = 'PullError'
    this.kind = kind
    this.reason = reason
    this.params = params
  }
}

/** Another run took over, or the file is no longer wanted: the current run ends without an error. */
export class PullSupersededError extends Error {
  constructor() {
    super('the pull is not wanted any more')
    this.name = 'PullSupersededError'
  }
}
