import { cutText, padText, textWidth } from './text-width.ts'

/** Without a terminal, lines may be long, but a cell must not hold pages of text. */
const widestCell = 60
const narrowestCell = 6
const gap = '  '

/** Shrinks the widest column until the row fits, so that narrow ones stay readable. */
const fitWidths = (widths: readonly number[], available: number): number[] => {
  const fitted = [...widths]
  let excess = fitted.reduce((sum, width) => sum + width, 0) + gap.length * (fitted.length - 1) - available
  while (excess > 0) {
    const widest = Math.max(...fitted)
    if (widest <= narrowestCell) break
    const index = fitted.indexOf(widest)
    const second = Math.max(narrowestCell, ...fitted.filter((width) => width < widest))
    const taken = Math.min(excess, Math.max(1, widest - second))
    fitted[index] = widest - taken
    excess -= taken
  }
  return fitted
}

/**
 * Formats rows as a table, with the headings in the first row. `terminalWidth` is undefined without a
 * terminal.
 */
export const tableLines = (
  rows: readonly (readonly string[])[],
  terminalWidth: number | undefined,
): string[] => {
  const [heads = []] = rows
  const widths = heads.map((_head, index) =>
    Math.min(widestCell, Math.max(...rows.map((row) => textWidth(row[index] ?? '')))),
  )
  const fitted = terminalWidth === undefined ? widths : fitWidths(widths, terminalWidth)
  return rows.map((row) =>
    row
      .map((text, index) => padText(cutText(text, fitted[index] ?? 0), fitted[index] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}
