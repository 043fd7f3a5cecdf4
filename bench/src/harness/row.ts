/** Target of a figure: for the value itself, or for its ratio to the limit. */
export type Goal = { readonly of: 'value' | 'ratio' } & (
  | { readonly atLeast: number }
  | { readonly atMost: number }
)

export interface Limit {
  /** Name of the baseline measured in the same run. */
  readonly name: string
  readonly value: number
}

/** One figure of the product. `value` and `limit` are medians in the same unit. */
export interface Row {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly limit: Limit | null
  /** Value ÷ limit: the median over the pairs, so not exactly the quotient of the two medians. */
  readonly ratio: number | null
  readonly goal: string | null
  readonly isMet: boolean | null
  /** Context for the figure: parts, spread, sizes. */
  readonly note: string
}

interface RowOptions {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly limit?: Limit
  readonly ratio?: number
  readonly goal?: Goal
  readonly note?: string
}

export const makeRow = (options: RowOptions): Row => {
  const { name, value, unit, limit = null, goal, note = '' } = options
  const ratio = options.ratio ?? (limit === null ? null : value / limit.value)
  const judged = goal === undefined ? null : goal.of === 'value' ? value : ratio
  return {
    name,
    value,
    unit,
    limit,
    ratio,
    goal: goal === undefined ? null : describeGoal(goal, unit),
    isMet:
      goal === undefined || judged === null
        ? null
        : 'atLeast' in goal
          ? judged >= goal.atLeast
          : judged <= goal.atMost,
    note,
  }
}

const describeGoal = (goal: Goal, unit: string): string => {
  const bound = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
  return goal.of === 'value' ? `${bound} ${unit}` : `ratio ${bound}`
}
