import { nextOf, startOf, type Interval, type Period } from './period.ts'

/** Rows of the finer sums to add to the whole units, or to subtract from them. */
export interface Edge extends Period {
  readonly sign: 1 | -1
}

export interface SplitPeriod {
  /** Null if the period is read from the finer sums alone. */
  readonly whole: Period | null
  readonly edges: readonly Edge[]
}

const lengthOf = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime())

/**
 * Splits a period into whole days or months, and edges whose finer sums are added or subtracted, whichever reads fewer rows.
 * Future days have no rows as long as clocks agree, so they are cheap to subtract.
 */
export const splitPeriod = (
  { from, to }: Period,
  unit: Exclude<Interval, 'hour'>,
  now = new Date(),
): SplitPeriod => {
  const [firstStart, lastStart] = [startOf(from, unit), startOf(to, unit)]
  const lastEnd = lastStart.getTime() === to.getTime() ? to : nextOf(lastStart, unit)
  const past = (at: Date): Date => (at < now ? at : now)
  const before = lengthOf(firstStart, from)
  const after = lengthOf(to, past(lastEnd))
  const secondStart = before === 0 ? from : nextOf(firstStart, unit)
  if (secondStart > lastStart) {
    // The period lies within one unit.
    if (before + after >= lengthOf(from, past(to))) return { whole: null, edges: [{ from, to, sign: 1 }] }
    const outside = [
      { from: firstStart, to: from, sign: -1 },
      { from: to, to: lastEnd, sign: -1 },
    ] as const
    return { whole: { from: firstStart, to: lastEnd }, edges: outside.filter((edge) => edge.from < edge.to) }
  }
  const isFirstWhole = before < lengthOf(from, secondStart)
  const isLastWhole = after < lengthOf(lastStart, past(to))
  const whole = { from: isFirstWhole ? firstStart : secondStart, to: isLastWhole ? lastEnd : lastStart }
  const edges: readonly Edge[] = [
    isFirstWhole ? { from: firstStart, to: from, sign: -1 } : { from, to: secondStart, sign: 1 },
    isLastWhole ? { from: to, to: lastEnd, sign: -1 } : { from: lastStart, to, sign: 1 },
  ]
  return { whole: whole.from < whole.to ? whole : null, edges: edges.filter((edge) => edge.from < edge.to) }
}
