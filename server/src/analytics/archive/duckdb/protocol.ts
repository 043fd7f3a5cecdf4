/** Limits of the process, its only argument. */
export interface Start {
  readonly memoryMegabytes: number
  readonly threads: number
  readonly temporaryFolder: string
}

export type Value = string | number

export interface Question {
  readonly id: number
  readonly text: string
  readonly values: readonly Value[]
}

export type Row = Readonly<Record<string, string | number | boolean | null>>

export interface Answer {
  readonly id: number
  readonly rows: readonly Row[]
  readonly error?: string
}
