/** Publisher errors: malformed data, exceeded limits, unsupported media, or an unknown key. */
export type RtmpErrorCode = 'malformed' | 'too_large' | 'unsupported' | 'refused'

/** The only error class of this package: the remote side, not the program, is at fault. */
export class RtmpError extends Error {
  readonly code: RtmpErrorCode

  constructor(code: RtmpErrorCode, message: string) {
    super(message)
    this.name = 'RtmpError'
    this.code = code
  }
}
