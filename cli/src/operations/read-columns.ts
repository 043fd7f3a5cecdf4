import { listOption } from '../options.ts'
import type { OptionValues } from '../command.ts'
import { UsageError } from '../usage-error.ts'

/** Returns the columns of `--columns`, which must be fields of the records. */
export const readColumns = (options: OptionValues, known: readonly string[]): string[] | undefined => {
  const columns = listOption(options, 'columns')
  for (const column of columns ?? []) {
    const isKnown = known.some((one) =>
      one.endsWith('.*') ? column.startsWith(one.slice(0, -1)) : column === one,
    )
    if (isKnown) continue
    const names = known.filter((one) => !one.endsWith('.*'))
    throw new UsageError(`Unknown column "${column}". Columns: ${names.join(', ')}.`)
  }
  return columns
}
