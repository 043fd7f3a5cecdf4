import type { Command } from '../command.ts'
import {
  flagOption,
  idPositional,
  requiredIdOption,
  secondsOption,
  stringOption,
  textOption,
} from '../options.ts'
import { waitWithProgress } from './wait-verb.ts'

export const clipVerb: Command = {
  operations: ['createClip'],
  usage: '<id> --project <id> --start <seconds> --end <seconds> [--title <text>] [--wait]',
  summary: 'Make a part of a file a file of its own; with --wait until it is encoded',
  positionals: ['id'],
  options: {
    project: textOption('the project, by its id'),
    start: textOption('seconds from the start of the file'),
    end: textOption('seconds from the start of the file'),
    title: textOption('of the new file; default: that of the old one'),
    wait: flagOption('until it is encoded'),
  },
  required: ['project', 'start', 'end'],
  run: async (context) => {
    const { client, output, options } = context
    const projectId = requiredIdOption(options, 'project')
    const title = stringOption(options, 'title')
    const file = await client.files.clip(projectId, idPositional(context, 0), {
      StartTime: secondsOption(options, 'start'),
      EndTime: secondsOption(options, 'end'),
      ...(title === undefined ? {} : { Metadata: { Title: title } }),
    })
    const isWaiting = options['wait'] === true
    output.record(isWaiting ? await waitWithProgress(context, client, projectId, file.Id) : file)
  },
}
