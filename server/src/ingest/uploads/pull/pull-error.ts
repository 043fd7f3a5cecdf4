/**
 * Reason that a source could not be fetched, as a sentence for its owner. `broken`: a retry may succeed and
 * resumes; `refused`: it will not.
 */
export class PullError extends Error {
  readonly kind: 'broken' | 'refused'

  constructor(kind: 'broken' | 'refused', message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'PullError'
    this.kind = kind
  }
}

/** Another run took over, or the file is no longer wanted: the current run ends without an error. */
export class PullSupersededError extends Error {
  constructor() {
    super('the pull is not wanted any more')
    this.name = 'PullSupersededError'
  }
}
