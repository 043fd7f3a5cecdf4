/**
 * Why a source could not be fetched, in a sentence for its owner. `broken`: it may work the next time, and goes on where it is; `refused`: it
 * will not.
 */
export class PullError extends Error {
  readonly kind: 'broken' | 'refused'

  constructor(kind: 'broken' | 'refused', message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'PullError'
    this.kind = kind
  }
}

/** Another run has taken over, or nobody wants the file any more: the run that hears this ends without a word. */
export class PullOvertakenError extends Error {
  constructor() {
    super('the pull is not wanted any more')
    this.name = 'PullOvertakenError'
  }
}
