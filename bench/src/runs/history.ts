import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatColumns, formatNumber } from '../harness/table.ts'
import { keyOf, type RunResult } from './run-result.ts'

export const historyFolder = fileURLToPath(new URL('../../history', import.meta.url))

/** One figure of one run: a line of `bench/history/<processor>.jsonl`. */
export interface Kept {
  readonly at: string
  readonly commit: string
  readonly cpu: string
  readonly cores: number
  readonly group: string
  readonly name: string
  readonly unit: string
  readonly value: number
  /** Value ÷ limit of the same run. */
  readonly ratio: number | null
  readonly coresOfOthers: number
}

const fileNameOf = (cpu: string): string =>
  `${cpu
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.jsonl`

/** Adds the figures of a run. Quick runs are no figures to keep. */
export const keep = async ({ facts, groups }: RunResult, folder = historyFolder): Promise<void> => {
  const { startedAt: at, commit, cpu, cores } = facts
  const lines = groups.flatMap(({ name: group, rows, coresOfOthers }) =>
    rows.map((row): string => {
      const kept: Kept = {
        ...{ at, commit, cpu, cores, group, name: keyOf(row), unit: row.unit },
        value: Number(row.value.toPrecision(4)),
        ratio: row.ratio === null ? null : Number(row.ratio.toPrecision(4)),
        coresOfOthers: Number(coresOfOthers.toFixed(2)),
      }
      return `${JSON.stringify(kept)}\n`
    }),
  )
  await mkdir(folder, { recursive: true })
  await appendFile(join(folder, fileNameOf(cpu)), lines.join(''))
}

export const readHistory = async (folder = historyFolder): Promise<Kept[]> => {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Kept),
  )
}

const bars = '▁▂▃▄▅▆▇█'

/** One character for each value, from the least to the greatest. */
export const drawLine = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const step = (value: number): number =>
    most === least ? 0 : Math.round(((value - least) / (most - least)) * (bars.length - 1))
  return values.map((value) => bars[step(value)]).join('')
}

/**
 * One line for each figure and processor, in the order of the runs. Ratios are drawn where there are any, because
 * they depend less on the machine.
 */
export const formatHistory = (kept: readonly Kept[]): string => {
  const series = Map.groupBy(kept, ({ cpu, group, name }) => JSON.stringify([cpu, group, name]))
  return formatColumns(
    ['processor', 'group', 'figure', 'runs', 'first', 'last', 'course'],
    [...series.values()].map((runs) => {
      const [first, last] = [runs[0]!, runs.at(-1)!]
      const isRatio = runs.every(({ ratio }) => ratio !== null)
      const text = (one: Kept): string =>
        `${isRatio ? `×${formatNumber(one.ratio ?? 0)}` : `${formatNumber(one.value)} ${one.unit}`} (${one.commit})`
      return [
        ...[first.cpu, first.group, first.name, String(runs.length), text(first), text(last)],
        drawLine(runs.map(({ ratio, value }) => (isRatio ? (ratio ?? 0) : value))),
      ]
    }),
  )
}
