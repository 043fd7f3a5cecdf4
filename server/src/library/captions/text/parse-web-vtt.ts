import { issue } from '../../../platform/base/problem.ts'
import { CaptionError, sortCues, type CaptionDocument, type Cue } from './caption-cues.ts'
import { cleanCueSettings, cleanRegion } from './cue-settings.ts'
import { cleanWebVttText } from './cue-text.ts'
import { isTiming, parseTiming } from './cue-time.ts'
import { readBlocks, type Block } from './text-blocks.ts'

/** The signature is alone on its line or followed by a space and a title (W3C WebVTT 4.1). */
export const looksLikeWebVtt = (text: string): boolean => /^WEBVTT(?:[ \t\n]|$)/.test(text)

/**
 * Parses WebVTT and keeps regions. Drops comments and style sheets: a style sheet could hide or move text, or
 * load other resources. Throws CaptionError.
 */
export const parseWebVtt = (text: string): CaptionDocument => {
  const [header, ...blocks] = readBlocks(text)
  const early = header?.lines.findIndex(isTiming) ?? -1
  if (early !== -1) throw new CaptionError(issue('caption_header_incomplete', { line: early + 1 }))
  const regions: string[] = []
  const cues: Cue[] = []
  for (const block of blocks) {
    const [first = ''] = block.lines
    if (/^(?:NOTE|STYLE)(?:[ \t]|$)/.test(first)) continue
    if (/^REGION[ \t]*$/.test(first)) {
      const region = cleanRegion(block.lines.slice(1).join(' '))
      if (region !== null) regions.push(region)
    } else cues.push(...parseCue(block))
  }
  return { regions, cues: sortCues(cues) }
}

/** Returns no cue when its text is empty. */
const parseCue = ({ lines, lineNumber }: Block): Cue[] => {
  const at = lines.findIndex(isTiming)
  if (at === -1)
    throw new CaptionError(
      issue('caption_times_missing', { line: lineNumber, example: '00:00:01.000 --> 00:00:04.500' }),
    )
  if (at > 1) throw new CaptionError(issue('caption_several_names', { line: lineNumber + 1 }))
  const { startMs, endMs, rest } = parseTiming(lines[at] ?? '', lineNumber + at, 'webvtt')
  const body = lines.slice(at + 1)
  const second = body.findIndex(isTiming)
  if (second !== -1)
    throw new CaptionError(issue('caption_blank_line_missing', { line: lineNumber + at + 1 + second }))
  const cleaned = cleanWebVttText(body.join('\n'))
  return cleaned === '' ? [] : [{ startMs, endMs, settings: cleanCueSettings(rest), text: cleaned }]
}
