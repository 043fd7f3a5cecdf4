import { CaptionError } from './caption-cues.ts'
import { parseCaptions } from './parse-captions.ts'
import { writeWebVtt } from './write-web-vtt.ts'

/** Timing line of a cue as ffmpeg writes it; times may be negative, such as `00:-1.-478`. */
const timing = /^([-\d:]+\.-?\d{3}) --> ([-\d:]+\.-?\d{3})/

/** Detects ASS drawing commands, which appear in place of text: `m 0 0 l 100 0`. */
const isDrawing = (line: string): boolean => /^m(?: -?[\d.]+){2}(?: [mnlbspc]| -?[\d.]+)*$/.test(line.trim())

const msOf = (time: string): number =>
  time.includes('-') ? 0 : time.split(':').reduce((sum, part) => sum * 60 + Number(part) * 1_000, 0)

/**
 * Sanitizes the WebVTT that ffmpeg makes from subtitles in a source. ffmpeg escapes nothing and leaves blank
 * lines within cues. Cues that start before zero start there; drops those that end before they begin. Returns null when no
 * cue remains.
 */
export const cleanSourceText = (written: string): string | null => {
  const cues: { readonly times: string; readonly isShown: boolean; readonly lines: string[] }[] = []
  for (const line of written.split(/\r\n?|\n/)) {
    const [, start = '', end = ''] = timing.exec(line) ?? []
    if (start !== '')
      cues.push({
        times: `${start.includes('-') ? '00:00.000' : start} --> ${end}`,
        isShown: msOf(end) > msOf(start),
        lines: [],
      })
    else if (line.trim() !== '' && !isDrawing(line)) cues.at(-1)?.lines.push(line.replaceAll('-->', '--&gt;'))
  }
  const blocks = cues
    .filter(({ isShown, lines }) => isShown && lines.length > 0)
    .map(({ times, lines }) => `${times}\n${lines.join('\n')}`)
  try {
    return writeWebVtt(parseCaptions(['WEBVTT', ...blocks].join('\n\n')))
  } catch (error) {
    if (error instanceof CaptionError) return null
    throw error
  }
}
