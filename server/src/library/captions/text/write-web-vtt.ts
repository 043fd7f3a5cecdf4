import type { CaptionDocument, Cue } from './caption-cues.ts'
import { writeTime } from './cue-time.ts'

/**
 * Writes cues without identifiers: hls.js takes two cues with the same identifier for one. Without
 * identifiers it compares time and text.
 */
const cueBlock = ({ startMs, endMs, settings, text }: Cue): string =>
  `${writeTime(startMs)} --> ${writeTime(endMs)}${settings === '' ? '' : ` ${settings}`}\n${text}`

/** Writes a WebVTT file. `header` holds the lines directly after the signature. */
export const writeWebVtt = ({ regions, cues }: CaptionDocument, header: readonly string[] = []): string =>
  `${[['WEBVTT', ...header].join('\n'), ...regions.map((region) => `REGION\n${region}`), ...cues.map(cueBlock)].join('\n\n')}\n`
