import type { MachineFacts } from '../harness/machine-facts.ts'
import type { Row } from '../harness/row.ts'

export interface GroupResult {
  readonly name: string
  readonly rows: readonly Row[]
  readonly seconds: number
  /** Average number of cores used by other programs: above 0.1 the figures are doubtful. */
  readonly coresOfOthers: number
}

/** What one run writes as JSON. */
export interface RunResult {
  readonly facts: MachineFacts
  readonly isQuick: boolean
  readonly groups: readonly GroupResult[]
  readonly failures: readonly string[]
}

/** Two figures of a group can have the same name and other limits. */
export const keyOf = ({ name, limit }: Row): string => (limit === null ? name : `${name} ÷ ${limit.name}`)
