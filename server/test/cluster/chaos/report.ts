import type { Checked } from '../checker/check.ts'
import { entriesOf, type Logged, type Probe } from '../workload/journal.ts'

const probes: readonly Probe[] = ['read', 'write', 'play', 'live']
/** Effects of a fault that has ended count as its own for so long, or until the next one begins. */
const aftermathMs = 20_000

interface Window {
  readonly fault: string
  readonly fromMs: number
  readonly toMs: number
}

/** The time of each fault and its aftermath. */
const windowsOf = (journal: readonly Logged[]): Window[] => {
  const marks = entriesOf(journal, 'fault')
  return marks
    .filter(({ isEnd }) => !isEnd)
    .map(({ fault, atMs }) => {
      const end = marks.find((mark) => mark.isEnd && mark.fault === fault && mark.atMs >= atMs)
      const next = marks.find((mark) => !mark.isEnd && mark.atMs > (end?.atMs ?? atMs))
      const endMs = (end?.atMs ?? atMs) + aftermathMs
      return { fault, fromMs: atMs, toMs: Math.min(endMs, next?.atMs ?? endMs) }
    })
}

/** Longest time within the window in which no probe of this kind had a good answer. */
export const longestGapMs = (
  journal: readonly Logged[],
  probe: Probe,
  { fromMs, toMs }: Pick<Window, 'fromMs' | 'toMs'>,
): number => {
  const all = entriesOf(journal, 'probe').filter((entry) => entry.probe === probe)
  if (probe === 'live')
    return Math.max(
      0,
      ...all.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ tookMs }) => tookMs),
    )
  const good = all.filter(({ isGood }) => isGood).map(({ atMs }) => atMs)
  let longest = 0
  for (const [index, atMs] of good.entries()) {
    const beforeMs = good[index - 1] ?? atMs
    if (atMs >= fromMs && beforeMs <= toMs) longest = Math.max(longest, atMs - beforeMs)
  }
  return longest
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

export const reportOf = (journal: readonly Logged[], { findings, figures }: Checked): string => {
  const windows = Map.groupBy(windowsOf(journal), ({ fault }) => fault)
  const rows = [...windows].map(([fault, of]) => {
    const worst = probes.map((probe) =>
      seconds(Math.max(...of.map((window) => longestGapMs(journal, probe, window)))),
    )
    return `| ${[fault, of.length, ...worst].join(' | ')} |`
  })
  const count = (kind: 'lost' | 'wrong'): number => findings.filter((finding) => finding.kind === kind).length
  return [
    `lost ${count('lost')}, wrong ${count('wrong')}`,
    ...findings.map(({ kind, text }) => `  ${kind.toUpperCase()} ${text}`),
    '',
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value}`),
    '',
    '| fault | count | longest without a read, s | a write | a segment | longest standstill of a live viewer |',
    '|---|---|---|---|---|---|',
    ...rows.toSorted(),
  ].join('\n')
}
