import type { Command } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'
import { stringOption, textOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'

const pageOptions = ['limit', 'offset', 'all', 'columns', 'order-by', 'sort'] as const

/** Options whose parameters have the same name. */
const sameOptions = ['kind', 'country', 'device', 'browser', 'os', 'player', 'stream', 'site', 'page', 'data']

/** Lists views, or with `--format` prints all of them as they arrive. */
export const sessionsVerb = (columns: readonly string[]): Command => {
  const list = operationCommand('listViews', { columns })
  return {
    ...list,
    operations: ['listViews', 'exportViews'],
    isLocal: false,
    details:
      'With --format, all views of the period are printed, in the order in which they ended: zoetrope analytics sessions --format csv > views.csv',
    options: {
      ...list.options,
      format: {
        ...textOption('export all views as ndjson or csv'),
        values: ['ndjson', 'csv'],
      },
    },
    run: async (context) => {
      const { client, output, options } = context
      const format = stringOption(options, 'format')
      if (format === undefined) return list.run(context)
      const unused = pageOptions.find((name) => options[name] !== undefined)
      if (unused !== undefined) throw new UsageError(`--format and --${unused} cannot be combined.`)
      // Sent as typed, because the API describes errors better.
      const query = Object.fromEntries(
        Object.entries({
          format,
          from: stringOption(options, 'from'),
          to: stringOption(options, 'to'),
          projectId: stringOption(options, 'project'),
          fileId: stringOption(options, 'file'),
          ...Object.fromEntries(sameOptions.map((name) => [name, stringOption(options, name)])),
        }).filter(([, value]) => value !== undefined),
      )
      await output.bytes(await client.analytics.exportViews(query))
    },
  }
}
