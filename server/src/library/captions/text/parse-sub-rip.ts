import { issue } from '../../../platform/base/problem.ts'
import { CaptionError, sortCues, type CaptionDocument, type Cue } from './caption-cues.ts'
import { cleanSubRipText } from './cue-text.ts'
import { isTiming, parseTiming } from './cue-time.ts'
import { readBlocks, type Block } from './text-blocks.ts'

/** Detects cues at the top of the picture, which some programs mark with `{\an7}` to `{\an9}`. */
const isAtTop = (text: string): boolean => /\{\\an[789]\}/.test(text)

/**
 * Parses SubRip as most programs write it; it has no standard. Ignores the values of cue numbers. Throws
 * CaptionError.
 */
export const parseSubRip = (text: string): CaptionDocument => ({
  regions: [],
  cues: sortCues(readBlocks(text).flatMap(parseCue)),
})

const parseCue = ({ lines, lineNumber }: Block): Cue[] => {
  const [first = '', second = ''] = lines
  // Some programs leave an empty cue at the end: a number alone.
  if (lines.length === 1 && /^\s*\d+\s*$/.test(first)) return []
  const at = isTiming(first) ? 0 : isTiming(second) ? 1 : -1
  if (at === -1)
    throw new CaptionError(
      issue('caption_cue_incomplete', { line: lineNumber, example: '00:00:01,000 --> 00:00:04,500' }),
    )
  if (at === 1 && !/^\s*\d+\s*$/.test(first))
    throw new CaptionError(
      issue('caption_number_invalid', { line: lineNumber, text: first.trim().slice(0, 60) }),
    )
  const { startMs, endMs } = parseTiming(lines[at] ?? '', lineNumber + at, 'subrip')
  const body = lines.slice(at + 1)
  const next = body.findIndex(isTiming)
  if (next !== -1)
    throw new CaptionError(issue('caption_blank_line_missing', { line: lineNumber + at + 1 + next }))
  const joined = body.join('\n')
  const cleaned = cleanSubRipText(joined)
  return cleaned === '' ? [] : [{ startMs, endMs, settings: isAtTop(joined) ? 'line:0' : '', text: cleaned }]
}
