import { printable } from '../output/output.ts'
import { cutText, padText } from '../output/text-width.ts'

export interface ProgressRow {
  readonly step: (step: string, doneRatio: number, details: string) => void
  /** Prints the final text. The row no longer changes afterwards. */
  readonly end: (text: string) => void
}

export interface ProgressBoard {
  readonly row: (name: string) => ProgressRow
}

const silent: ProgressBoard = { row: () => ({ step: () => {}, end: () => {} }) }

const longestName = 32
/** Below this width the figures are more useful than the bar. */
const roomyColumns = 120
/** Without a terminal, a line is printed for each step and each quarter of it. */
const quarters = 4

const bar = (doneRatio: number, barColumns: number): string => {
  const full = Math.round(Math.max(0, Math.min(1, doneRatio)) * barColumns)
  return '█'.repeat(full) + '░'.repeat(barColumns - full)
}

const percent = (doneRatio: number): string => `${String(Math.floor(doneRatio * 100)).padStart(3)} %`

const plainBoard = (stderr: NodeJS.WriteStream): ProgressBoard => ({
  row: (name) => {
    let shown = ''
    const say = (text: string): void => void stderr.write(`${printable(name)}: ${printable(text)}\n`)
    return {
      step: (step, doneRatio) => {
        const quarter = Math.floor(doneRatio * quarters) / quarters
        const text = quarter === 0 ? step : `${step}, ${quarter * 100} %`
        if (text === shown) return
        shown = text
        say(text)
      },
      end: say,
    }
  },
})

/** Active rows are redrawn at the bottom, and finished rows scroll away above them. */
const terminalBoard = (stderr: NodeJS.WriteStream): ProgressBoard => {
  const rows: { name: string; text: string }[] = []
  let drawn = 0
  const line = (name: string, text: string): string => {
    const width = Math.min(longestName, Math.floor(stderr.columns / 4))
    return cutText(
      `${padText(cutText(printable(name), width), width)}  ${printable(text)}`,
      stderr.columns - 1,
    )
  }
  const draw = (ended: readonly string[]): void => {
    const up = drawn === 0 ? '' : `\u001b[${drawn}A`
    const shown = rows.slice(0, Math.max(1, stderr.rows - 2))
    const lines = [...ended, ...shown.map(({ name, text }) => line(name, text))]
    stderr.write(`${up}\r\u001b[J${lines.map((one) => `${one}\n`).join('')}`)
    drawn = shown.length
  }
  return {
    row: (name) => {
      const row = { name, text: '' }
      return {
        step: (step, doneRatio, details) => {
          if (!rows.includes(row)) rows.push(row)
          row.text = `${bar(doneRatio, stderr.columns < roomyColumns ? 10 : 20)} ${percent(doneRatio)}  ${step}  ${details}`
          draw([])
        },
        end: (text) => {
          if (rows.includes(row)) rows.splice(rows.indexOf(row), 1)
          draw([line(name, text)])
        },
      }
    },
  }
}

export const createProgressBoard = (stderr: NodeJS.WriteStream, isJson: boolean): ProgressBoard => {
  if (stderr.isTTY) return terminalBoard(stderr)
  return isJson ? silent : plainBoard(stderr)
}
