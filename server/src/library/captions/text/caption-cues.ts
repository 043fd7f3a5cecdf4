import { issueText, type Issue } from '../../../platform/base/problem.ts'
/** Text and the time span in which players show it, in milliseconds from the start of the video. */
export interface Cue {
  readonly startMs: number
  readonly endMs: number
  /** Cue settings in WebVTT syntax (`line:0 align:start`); '' = the default position at the bottom. */
  readonly settings: string
  /** Sanitized WebVTT cue text; no line is blank. */
  readonly text: string
}

export interface CaptionDocument {
  /** Region blocks: `key:value` lines that cues refer to. */
  readonly regions: readonly string[]
  /** Sorted with `sortCues`. */
  readonly cues: readonly Cue[]
}

/** Reports an invalid caption file, with the line of the error, counted from 1. */
export class CaptionError extends Error {
  override readonly name = 'CaptionError'
  readonly issue: Issue

  constructor(issue: Issue) {
    super(issueText(issue))
    this.issue = issue
  }
}

/** Sorts cues by start time; of cues with the same start, the longer one comes first, as players expect. */
export const sortCues = (cues: readonly Cue[]): Cue[] =>
  cues.toSorted((a, b) => a.startMs - b.startMs || b.endMs - a.endMs)
