export type IsobmffErrorCode = 'not_isobmff' | 'truncated' | 'malformed' | 'too_large' | 'too_many_edits'

/** The only error class of this package: the file is invalid or unsupported. */
export class IsobmffError extends Error {
  readonly code: IsobmffErrorCode

  constructor(code: IsobmffErrorCode, message: string) {
    super(message)
    this.name = 'IsobmffError'
    this.code = code
  }
}
