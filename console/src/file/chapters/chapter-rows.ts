import { parseClock } from '../clock.ts'

export interface ChapterRow {
  /** Identifies the row while it is on the screen. */
  readonly id: number
  readonly time: string
  readonly title: string
}

export interface RowIssues {
  readonly time: 'noTime' | 'late' | 'twice' | null
  readonly title: 'noTitle' | null
}

/** Limits of the API. */
export const maxChapters = 500
export const maxTitleLength = 200

const millisecondsOf = (time: string): number | null => {
  const seconds = parseClock(time)
  return seconds === null ? null : Math.round(seconds * 1_000)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `1:05`, `1:02:03.5`: without redundant zeros. */
export const timeText = (milliseconds: number): string => {
  const whole = Math.floor(milliseconds / 1_000)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  const rest = String(milliseconds % 1_000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  const seconds = two(whole % 60) + (rest === '' ? '' : `.${rest}`)
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${two(minutes)}:${seconds}`
}

/** Sorts by time. Rows without a valid time stay last, in the order of creation. */
export const sortedRows = (rows: readonly ChapterRow[]): ChapterRow[] =>
  rows.toSorted(
    (a, b) => (millisecondsOf(a.time) ?? Infinity) - (millisecondsOf(b.time) ?? Infinity) || a.id - b.id,
  )

let lastId = 0
const newId = (): number => (lastId += 1)

export const addedRow = (seconds: number): ChapterRow => ({
  id: newId(),
  time: timeText(Math.round(seconds * 1_000)),
  title: '',
})

/** Returns the issues of each row in order. `lengthSeconds` is null while the duration is unknown. */
export const issuesOf = (rows: readonly ChapterRow[], lengthSeconds: number | null): RowIssues[] => {
  const taken = new Set<number>()
  return rows.map(({ time, title }) => {
    const at = millisecondsOf(time)
    const isTwice = at !== null && taken.has(at)
    if (at !== null) taken.add(at)
    const isLate = at !== null && lengthSeconds !== null && at >= lengthSeconds * 1_000
    return {
      time: at === null ? 'noTime' : isLate ? 'late' : isTwice ? 'twice' : null,
      title: title.trim() === '' ? 'noTitle' : null,
    }
  })
}

const vttTime = (milliseconds: number): string => {
  const whole = Math.floor(milliseconds / 1_000)
  const clock = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60].map(two).join(':')
  return `${clock}.${String(milliseconds % 1_000).padStart(3, '0')}`
}

/** End of the last chapter. With an unknown duration, any later time works. */
const endOf = (at: number, lengthSeconds: number | null): number =>
  lengthSeconds === null ? at + 1_000 : Math.max(Math.floor(lengthSeconds * 1_000), at + 1)

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Returns WebVTT for rows without issues: each chapter ends where the next one starts, the last at the end of
 * the file.
 */
export const webVttOf = (rows: readonly ChapterRow[], lengthSeconds: number | null): string => {
  const starts = sortedRows(rows).map(({ time, title }) => ({ at: millisecondsOf(time) ?? 0, title }))
  const cues = starts.map(({ at, title }, index) => {
    const end = starts[index + 1]?.at ?? endOf(at, lengthSeconds)
    const text = title.trim().replaceAll(/[&<>]/g, (character) => escapes[character] ?? character)
    return `${vttTime(at)} --> ${vttTime(end)}\n${text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
}

const plainText = (cue: string): string =>
  cue
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&([a-z]+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Parses WebVTT from the API, which contains no notes or styles. */
export const rowsOf = (webVtt: string): ChapterRow[] => {
  const rows = webVtt.split(/\r?\n(?:\r?\n)+/).flatMap((block) => {
    const lines = block.split(/\r?\n/)
    const at = lines.findIndex((line) => line.includes('-->'))
    const start = millisecondsOf(lines[at]?.split('-->')[0] ?? '')
    if (at < 0 || start === null) return []
    return [{ time: timeText(start), title: plainText(lines.slice(at + 1).join(' ')) }]
  })
  return sortedRows(rows.map((row) => ({ ...row, id: newId() })))
}
