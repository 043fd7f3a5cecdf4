/** A playlist that breaks a rule of RFC 8216bis, found while writing or parsing it. */
export class PlaylistError extends Error {
  override readonly name = 'PlaylistError'
  /** The first line is 1; undefined when the playlist was being written. */
  readonly lineNumber: number | undefined

  constructor(message: string, lineNumber?: number) {
    super(lineNumber === undefined ? message : `line ${lineNumber}: ${message}`)
    this.lineNumber = lineNumber
  }
}
