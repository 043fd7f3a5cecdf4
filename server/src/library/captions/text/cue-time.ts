import { issue } from '../../../platform/base/problem.ts'
import { CaptionError } from './caption-cues.ts'

/** WebVTT does not limit hours; five digits are more than eleven years. */
const maxHourDigits = 5

const timePattern = (separator: string): string =>
  `(?:(\\d{1,${maxHourDigits}}):)?(\\d{1,2}):(\\d{1,2})${separator}(\\d{1,3})`

const timingPattern = (separator: string): RegExp =>
  new RegExp(`^\\s*${timePattern(separator)}\\s*-->\\s*${timePattern(separator)}(?:\\s+(.*))?$`)

/** SubRip has a comma before the milliseconds; many programs write a point. */
const subRipTiming = timingPattern('[,.]')
const webVttTiming = timingPattern('\\.')

const examples = {
  subrip: '00:00:01,000 --> 00:00:04,500',
  webvtt: '00:00:01.000 --> 00:00:04.500',
} as const

interface Timing {
  readonly startMs: number
  readonly endMs: number
  /** Cue settings or coordinates after the times. */
  readonly rest: string
}

const toMs = (parts: readonly (string | undefined)[]): number => {
  const [hours = '0', minutes = '', seconds = '', fraction = ''] = parts
  return (
    Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds) * 1_000 +
    Number(fraction.padEnd(3, '0'))
  )
}

export const isTiming = (line: string): boolean => line.includes('-->')

/**
 * Parses a timing line. Throws CaptionError for malformed times and for an end that is not after its start.
 */
export const parseTiming = (line: string, lineNumber: number, format: keyof typeof examples): Timing => {
  const match = (format === 'subrip' ? subRipTiming : webVttTiming).exec(line)
  if (match === null)
    throw new CaptionError(
      issue('caption_times_invalid', {
        line: lineNumber,
        text: line.trim().slice(0, 60),
        example: examples[format],
      }),
    )
  const [, ...parts] = match
  if ([parts[1], parts[2], parts[5], parts[6]].some((part) => Number(part) > 59))
    throw new CaptionError(issue('caption_minutes_invalid', { line: lineNumber }))
  const startMs = toMs(parts.slice(0, 4))
  const endMs = toMs(parts.slice(4, 8))
  if (endMs <= startMs) throw new CaptionError(issue('caption_ends_too_early', { line: lineNumber }))
  return { startMs, endMs, rest: parts[8] ?? '' }
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')

export const writeTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000)
  return `${padded(Math.floor(seconds / 3_600), 2)}:${padded(Math.floor(seconds / 60) % 60, 2)}:${padded(seconds % 60, 2)}.${padded(ms % 1_000, 3)}`
}
