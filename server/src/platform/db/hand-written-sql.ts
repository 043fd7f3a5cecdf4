import type { Pipeline } from './driver/pipeline.ts'
import type { RawRow } from './driver/prepared-query.ts'

/** Runs hand-written statements, each on a separate connection: never as part of a transaction. */
export interface Sql {
  <Rows extends readonly object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<Rows>
  readonly raw: (strings: TemplateStringsArray, ...values: readonly unknown[]) => Promise<RawRow[]>
  /** Takes a concatenated statement with its values as $1, $2, … */
  readonly rawText: (
    text: string,
    values: readonly unknown[],
    options: { readonly isPrepared: boolean },
  ) => Promise<RawRow[]>
}

/** Each template in the source is one object. */
const texts = new WeakMap<TemplateStringsArray, string>()

const textOf = (strings: TemplateStringsArray): string => {
  let text = texts.get(strings)
  if (text === undefined) {
    text = strings.reduce((before, part, index) => `${before}$${index}${part}`)
    texts.set(strings, text)
  }
  return text
}

export const createSql = ({ run }: Pick<Pipeline, 'run'>): Sql =>
  Object.assign(
    (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
      run((connection) => connection.rows(textOf(strings), values)),
    {
      raw: (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
        run((connection) => connection.raw(textOf(strings), values, true)),
      rawText: (text: string, values: readonly unknown[], { isPrepared }: { readonly isPrepared: boolean }) =>
        run((connection) => connection.raw(text, values, isPrepared)),
    },
  ) as Sql
