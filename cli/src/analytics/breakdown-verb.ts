import type { Command } from '../command.ts'
import { operationCommand } from '../operations/operation-command.ts'
import type { ApiRecord } from '../output/output.ts'

interface Breakdown {
  readonly By: readonly string[]
  readonly Groups: readonly (ApiRecord & { readonly Keys: readonly (string | null)[] })[]
}

const columns = [
  'Views',
  'WatchSeconds',
  'AverageViewSeconds',
  'StartupMs',
  'Rebuffers',
  'Failures',
  'Errors',
]

/** Prints a table with a column for each dimension. */
export const breakdownVerb = (): Command => {
  const command = operationCommand('getAnalyticsBreakdown')
  return {
    ...command,
    operations: ['getAnalyticsBreakdown'],
    isLocal: false,
    run: (context) => {
      const { output } = context
      if (output.isJson) return command.run(context)
      const record = (answer: ApiRecord): void => {
        const { By, Groups } = answer as unknown as Breakdown
        const rows = Groups.map((group) => ({
          ...Object.fromEntries(By.map((name, index) => [name, group.Keys[index]])),
          ...group,
        }))
        output.list({ Groups: rows }, 'Groups', [...By, ...columns])
      }
      return command.run({ ...context, output: { ...output, record } })
    },
  }
}
