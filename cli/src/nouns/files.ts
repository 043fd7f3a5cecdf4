import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { MediaFile } from '@zoetrope/sdk'
import type { CommandContext, Noun, OptionValues } from '../command.ts'
import {
  flag,
  idOption,
  idPositional,
  pageOptions,
  pageQuery,
  positional,
  secondsOption,
  stringOption,
  text,
} from '../options.ts'
import { UsageError } from '../usage-error.ts'

const pollMs = 500

const projectOf = (options: OptionValues): number => idOption(options, 'project') ?? 0

const describeBytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** Until all processing is over; throws when it ended with errors. */
const waitForFile = async (
  { client, output, options }: CommandContext,
  fileId: number,
): Promise<MediaFile> => {
  for (;;) {
    const file = await client.files.get(projectOf(options), fileId)
    output.progress(`${file.Status} ${file.EncodingProgress} %`)
    if (file.IsFinished) {
      output.progress('')
      if (file.HasErrors) throw new Error(`File ${file.Id} failed: ${file.ErrorMessage}`)
      return file
    }
    await delay(pollMs)
  }
}

const upload = async (context: CommandContext): Promise<MediaFile> => {
  const { client, output, options } = context
  const path = positional(context, 0)
  const title = stringOption(options, 'title')
  const source = await stat(path).catch(() => null)
  if (source?.isFile() !== true) throw new UsageError(`${path} is no file that can be read.`)
  const file = await client.files.upload(projectOf(options), path, {
    ...(title === undefined ? {} : { Metadata: { Title: title } }),
    onProgress: ({ sentBytes }) =>
      output.progress(`${describeBytes(sentBytes)} of ${describeBytes(source.size)}`),
  })
  output.progress('')
  return file
}

export const files: Noun = {
  summary: 'Video and audio files',
  verbs: {
    upload: {
      usage: '<path> --project <id> [--title <text>] [--wait]',
      summary: 'Upload a file; with --wait until it is encoded',
      positionals: ['path'],
      options: { project: text, title: text, wait: flag },
      required: ['project'],
      run: async (context) => {
        const file = await upload(context)
        context.output.record(context.options['wait'] === true ? await waitForFile(context, file.Id) : file)
      },
    },
    list: {
      usage: '--project <id> [--limit <n>] [--offset <n>]',
      summary: 'List the files of a project',
      positionals: [],
      options: { project: text, ...pageOptions },
      required: ['project'],
      run: async ({ client, output, options }) =>
        output.list(await client.files.list(projectOf(options), pageQuery(options)), 'Files', [
          'Id',
          'Metadata.Title',
          'Status',
          'EncodingProgress',
          'Properties.Length',
          'CreatedAt',
        ]),
    },
    get: {
      usage: '<id> --project <id>',
      summary: 'Show a file',
      positionals: ['id'],
      options: { project: text },
      required: ['project'],
      run: async (context) =>
        context.output.record(
          await context.client.files.get(projectOf(context.options), idPositional(context, 0)),
        ),
    },
    clip: {
      usage: '<id> --project <id> --start <seconds> --end <seconds> [--title <text>] [--wait]',
      summary: 'Make a part of a file a file of its own; with --wait until it is encoded',
      positionals: ['id'],
      options: { project: text, start: text, end: text, title: text, wait: flag },
      required: ['project', 'start', 'end'],
      run: async (context) => {
        const { client, output, options } = context
        const title = stringOption(options, 'title')
        const file = await client.files.clip(projectOf(options), idPositional(context, 0), {
          StartTime: secondsOption(options, 'start'),
          EndTime: secondsOption(options, 'end'),
          ...(title === undefined ? {} : { Metadata: { Title: title } }),
        })
        output.record(options['wait'] === true ? await waitForFile(context, file.Id) : file)
      },
    },
    delete: {
      usage: '<id> --project <id>',
      summary: 'Delete a file',
      positionals: ['id'],
      options: { project: text },
      required: ['project'],
      run: async (context) =>
        context.output.record(
          await context.client.files.delete(projectOf(context.options), idPositional(context, 0)),
        ),
    },
  },
}
