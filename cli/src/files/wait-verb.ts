import type { MediaFile, Zoetrope } from '@zoetrope/sdk'
import type { Command, CommandContext } from '../command.ts'
import { idPositional, requiredIdOption, textOption } from '../options.ts'
import { untilFinished } from './until-finished.ts'

export const waitWithProgress = async (
  { output }: CommandContext,
  client: Zoetrope,
  projectId: number,
  fileId: number,
): Promise<MediaFile> => {
  try {
    return await untilFinished(client, projectId, fileId, ({ Status, EncodingProgress }) =>
      output.progress(`${Status} ${EncodingProgress} %`),
    )
  } finally {
    output.progress('')
  }
}

export const waitVerb: Command = {
  operations: ['getFile'],
  usage: '<id> --project <id>',
  summary: 'Wait until a file is encoded',
  positionals: ['id'],
  options: { project: textOption('Id of the project') },
  required: ['project'],
  run: async (context) => {
    const projectId = requiredIdOption(context.options, 'project')
    const fileId = idPositional(context, 0)
    context.output.record(await waitWithProgress(context, context.client, projectId, fileId))
  },
}
