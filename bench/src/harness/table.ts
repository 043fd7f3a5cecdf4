import type { Row } from './row.ts'

export const formatNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 100) return value.toFixed(0)
  if (size >= 10) return value.toFixed(1)
  return value.toFixed(size >= 1 ? 2 : 3)
}

const headings = ['figure', 'value', 'limit of the same run', 'ratio', 'goal', 'met'] as const

const cellsOf = ({ name, value, unit, limit, ratio, goal, isMet }: Row): string[] => [
  name,
  `${formatNumber(value)} ${unit}`,
  limit === null ? '' : `${formatNumber(limit.value)} ${unit} (${limit.name})`,
  ratio === null ? '' : ratio.toFixed(2),
  goal ?? '',
  isMet === null ? '' : isMet ? 'yes' : 'NO',
]

export const formatTable = (rows: readonly Row[]): string => {
  const notes = rows.filter(({ note }) => note !== '').map(({ name, note }) => `- ${name}: ${note}`)
  return [formatColumns(headings, rows.map(cellsOf)), ...notes, ''].join('\n')
}

export const formatColumns = (heading: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = heading.map((text, column) =>
    Math.max(text.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  )
  const join = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return `${[join(heading), rule, ...rows.map(join)].join('\n')}\n`
}
