import { CaptionError } from './caption-cues.ts'
import { parseCaptions } from './parse-captions.ts'
import { writeWebVtt } from './write-web-vtt.ts'

/** As ffmpeg writes the times of a cue. */
const timing = /^(-?[\d:]+\.\d{3}) --> (-?[\d:]+\.\d{3})/

/** ASS draws with commands that stand where text stands: `m 0 0 l 100 0`. */
const isDrawing = (line: string): boolean => /^m(?: -?[\d.]+){2}(?: [mnlbspc]| -?[\d.]+)*$/.test(line.trim())

const msOf = (time: string): number =>
  time.startsWith('-') ? -1 : time.split(':').reduce((sum, part) => sum * 60 + Number(part) * 1_000, 0)

/**
 * The WebVTT that ffmpeg made of a source's subtitles, as we keep it. ffmpeg escapes nothing and leaves blank lines within cues; cues that end before
 * they begin are left out. Null where nothing is left to be shown.
 */
export const cleanSourceText = (written: string): string | null => {
  const cues: { readonly times: string; readonly isShown: boolean; readonly lines: string[] }[] = []
  for (const line of written.split(/\r\n?|\n/)) {
    const [, start = '', end = ''] = timing.exec(line) ?? []
    if (start !== '')
      cues.push({
        times: `${start} --> ${end}`,
        isShown: msOf(start) >= 0 && msOf(end) > msOf(start),
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
