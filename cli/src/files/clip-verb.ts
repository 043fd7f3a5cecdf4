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
  summary: 'Create a clip of a file',
  positionals: ['id'],
  options: {
    project: textOption('Id of the project'),
    start: textOption('seconds from the start of the file'),
    end: textOption('seconds from the start of the file'),
    title: textOption('title of the clip; default: title of the file'),
    wait: flagOption('wait until the file is encoded'),
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
