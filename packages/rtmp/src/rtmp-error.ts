/** What a publisher can do wrong: broken bytes, more than it may send, something that we don't take, a key that isn't known. */
export type RtmpErrorCode = 'malformed' | 'too_large' | 'unsupported' | 'refused'

/** The one error of this package: the publisher, not the program, is at fault. */
export class RtmpError extends Error {
  readonly code: RtmpErrorCode

  constructor(code: RtmpErrorCode, message: string) {
    super(message)
    this.name = 'RtmpError'
    this.code = code
  }
}
