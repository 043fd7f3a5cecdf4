export type IsobmffErrorCode = 'not_isobmff' | 'truncated' | 'malformed' | 'too_large' | 'too_many_edits'

/** The one error of this package: the file, not the program, is at fault. */
export class IsobmffError extends Error {
  readonly code: IsobmffErrorCode

  constructor(code: IsobmffErrorCode, message: string) {
    super(message)
    this.name = 'IsobmffError'
    this.code = code
  }
}
