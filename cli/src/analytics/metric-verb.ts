import type { Zoetrope } from '@zoetrope/sdk'
import { dimensionFilters } from '@zoetrope/vocabulary'
import type { Command } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'
import { stringOption, textOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'

type MetricName = Parameters<Zoetrope['analytics']['get']>[0]

const unitMs = { h: 3_600_000, d: 86_400_000 } as const

/** `30d` or `12h` before this time. */
const startOfLast = (text: string, beforeMs: number): string => {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,3})([dh])$/.exec(text) ?? []
  if (count === '') throw new UsageError(`--last must look like 30d or 12h, not "${text}".`)
  return new Date(beforeMs - Number(count) * unitMs[unit as 'd' | 'h']).toISOString()
}

/** Builds a verb that prints the buckets of a metric. */
export const metricVerb = (metric: MetricName, summary: string): Command => {
  const { options } = operationCommand('getAnalytics')
  return {
    operations: ['getAnalytics'],
    usage: '[options]',
    summary,
    positionals: [],
    options: {
      ...options,
      last: textOption('days or hours before --to, such as 30d or 12h'),
      percentile: textOption('1 to 99, such as 50, 75 or 95, for startuptime and livelatency'),
      limit: textOption('number of keys with --group-by, 1 to 500; default 50'),
    },
    run: async ({ client, output, options: given }) => {
      const last = stringOption(given, 'last')
      const to = stringOption(given, 'to')
      if (last !== undefined && given['from'] !== undefined)
        throw new UsageError('--last and --from cannot be combined.')
      const toMs = to === undefined ? Date.now() : Date.parse(to)
      const from =
        last === undefined || Number.isNaN(toMs) ? stringOption(given, 'from') : startOfLast(last, toMs)
      const groupBy = stringOption(given, 'group-by')
      // Sent as typed, because the API describes errors better.
      const query = Object.fromEntries(
        Object.entries({
          ...{ from, to, groupBy },
          interval: stringOption(given, 'interval'),
          projectId: stringOption(given, 'project'),
          fileId: stringOption(given, 'file'),
          percentile: stringOption(given, 'percentile'),
          limit: stringOption(given, 'limit'),
          ...Object.fromEntries(dimensionFilters.map((name) => [name, stringOption(given, name)])),
        }).filter(([, value]) => value !== undefined),
      )
      const answer = await client.analytics.get(metric, query)
      output.list({ ...answer }, 'Buckets', [groupBy === undefined ? 'Start' : 'Key', 'Value'])
      if (!output.isJson) output.note(`Total: ${answer.Total ?? 'not measured'} ${answer.Unit}`)
    },
  }
}
