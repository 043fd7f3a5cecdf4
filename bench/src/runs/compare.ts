import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { interleave, median } from '../harness/measure.ts'
import { formatNumber, formatColumns } from '../harness/table.ts'
import { confidenceOf, type Confidence } from './confidence.ts'
import { keyOf, type RunResult } from './run-result.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface CompareOptions {
  /** A commit, branch or tag. */
  readonly ref: string
  readonly groups: readonly string[]
  readonly pairs: number
  readonly isQuick: boolean
  readonly workFolder: string
  readonly say: (text: string) => void
}

export interface Change extends Confidence {
  readonly name: string
  readonly unit: string
  readonly before: number
  readonly after: number
}

/** Figures that both sides have. A ratio above 1 means that the value has grown. */
export const changesOf = (before: readonly RunResult[], after: readonly RunResult[]): Change[] => {
  const valuesOf = (runs: readonly RunResult[], key: string): number[] =>
    runs.flatMap(({ groups }) =>
      groups.flatMap(({ rows }) => rows.filter((row) => keyOf(row) === key).map(({ value }) => value)),
    )
  return (after[0]?.groups.flatMap(({ rows }) => rows) ?? []).flatMap((row) => {
    const [old, current] = [valuesOf(before, keyOf(row)), valuesOf(after, keyOf(row))]
    const isComplete = old.length === before.length && current.length === after.length
    if (!isComplete || [...old, ...current].some((value) => !(value > 0))) return []
    return [
      {
        ...{ name: keyOf(row), unit: row.unit, before: median(old), after: median(current) },
        ...confidenceOf(current.map((value, index) => value / (old[index] ?? Number.NaN))),
      },
    ]
  })
}

const verdictOf = ({ ratio, low, high }: Confidence): string =>
  low <= 1 && high >= 1 ? 'no change seen' : `${((ratio - 1) * 100).toFixed(1)} %`

export const formatChanges = (changes: readonly Change[]): string =>
  formatColumns(
    ['figure', 'before', 'after', 'change', '95 % of the ratios'],
    changes.map((one) => [
      one.name,
      `${formatNumber(one.before)} ${one.unit}`,
      `${formatNumber(one.after)} ${one.unit}`,
      verdictOf(one),
      `${one.low.toFixed(2)} to ${one.high.toFixed(2)}`,
    ]),
  )

/** Runs the same groups of two checkouts in turn, so that a slow moment of the machine meets both. */
export const compare = async (options: CompareOptions): Promise<Change[]> => {
  const { ref, groups, pairs, isQuick, workFolder, say } = options
  const other = join(workFolder, 'before')
  say(`checking out ${ref}`)
  await run('git', ['worktree', 'add', '--detach', other, ref], { cwd: root })
  try {
    say('installing and building it')
    await run('./zoetrope', ['install'], { cwd: other, maxBuffer: Infinity })
    const measure =
      (folder: string, side: string) =>
      async (round: number): Promise<RunResult> => {
        say(`pair ${round + 1} of ${pairs}: ${side}`)
        const json = join(workFolder, `${side}-${round}.json`)
        const words = [
          'src/main.ts',
          '--only',
          groups.join(','),
          ...(isQuick ? ['--quick'] : []),
          '--json',
          json,
        ]
        const child = spawn(process.execPath, words, {
          cwd: join(folder, 'bench'),
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        const [code] = (await once(child, 'exit')) as [number | null]
        if (code !== 0) throw new Error(`The benchmark ${side} ended with ${String(code)}.`)
        return JSON.parse(await readFile(json, 'utf8')) as RunResult
      }
    const { before, after } = await interleave(pairs, {
      before: measure(other, 'before'),
      after: measure(root, 'after'),
    })
    return changesOf(before, after)
  } finally {
    await run('git', ['worktree', 'remove', '--force', other], { cwd: root })
  }
}
