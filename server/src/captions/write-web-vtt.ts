import type { CaptionDocument, Cue } from './caption-cues.ts'
import { writeTime } from './cue-time.ts'

/**
 * Cues get no names: hls.js takes two cues of the same name for one, and without names it tells them apart by time and text.
 */
const cueBlock = ({ startMs, endMs, settings, text }: Cue): string =>
  `${writeTime(startMs)} --> ${writeTime(endMs)}${settings === '' ? '' : ` ${settings}`}\n${text}`

/** `header` holds lines that follow the signature at once. */
export const writeWebVtt = ({ regions, cues }: CaptionDocument, header: readonly string[] = []): string =>
  `${[['WEBVTT', ...header].join('\n'), ...regions.map((region) => `REGION\n${region}`), ...cues.map(cueBlock)].join('\n\n')}\n`
