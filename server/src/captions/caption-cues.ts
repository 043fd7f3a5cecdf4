/** One text on the screen, in milliseconds from the start of the video. */
export interface Cue {
  readonly startMs: number
  readonly endMs: number
  /** Where it stands, as WebVTT writes it (`line:0 align:start`); '' = at the bottom. */
  readonly settings: string
  /** Lines of WebVTT cue text, cleaned: none is blank. */
  readonly text: string
}

export interface CaptionDocument {
  /** Blocks of `key:value` lines that cues refer to. */
  readonly regions: readonly string[]
  /** By time. */
  readonly cues: readonly Cue[]
}

/** What is wrong with a file that somebody sent, and where. */
export class CaptionError extends Error {
  override readonly name = 'CaptionError'
  readonly lineNumber: number

  constructor(message: string, lineNumber: number) {
    super(message)
    this.lineNumber = lineNumber
  }
}

/** As players expect them: by start; of those that start together the longer one first. */
export const sortCues = (cues: readonly Cue[]): Cue[] =>
  cues.toSorted((a, b) => a.startMs - b.startMs || b.endMs - a.endMs)
