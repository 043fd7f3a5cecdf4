/** Thrown when a playlist being written or parsed violates RFC 8216bis. */
export class PlaylistError extends Error {
  override readonly name = 'PlaylistError'
  /** One-based; undefined when the error occurred while writing. */
  readonly lineNumber: number | undefined

  constructor(message: string, lineNumber?: number) {
    super(lineNumber === undefined ? message : `Line ${lineNumber}: ${message}`)
    this.lineNumber = lineNumber
  }
}
