import type { CaptionDocument, Cue } from './caption-cues.ts'
import { isTiming, parseTiming } from './cue-time.ts'

/**
 * Reads a text that `writeWebVtt` has written. Its cues are sanitized and sorted, and viewers request it, so nothing
 * is checked again: that would block the process for a second.
 */
export const readWebVtt = (written: string): CaptionDocument => {
  const regions: string[] = []
  const cues: Cue[] = []
  for (const block of written.slice(0, -1).split('\n\n').slice(1)) {
    const lineEnd = block.indexOf('\n')
    const first = block.slice(0, lineEnd)
    const rest = block.slice(lineEnd + 1)
    if (isTiming(first)) {
      const { startMs, endMs, rest: settings } = parseTiming(first, 1, 'webvtt')
      cues.push({ startMs, endMs, settings, text: rest })
    } else regions.push(rest)
  }
  return { regions, cues }
}
