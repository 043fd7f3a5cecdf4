import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient, ApiRecord } from '../api-client.ts'
import type { Noun } from '../command.ts'
import {
  flag,
  idOption,
  idPositional,
  pageOptions,
  pageQuery,
  positional,
  stringOption,
  text,
} from '../options.ts'
import type { Output } from '../output.ts'
import { uploadFile } from '../upload-file.ts'
import { UsageError } from '../usage-error.ts'

const pollMs = 500

const filesOf = (options: Parameters<typeof idOption>[0]): string =>
  `/projects/${idOption(options, 'project')}/files`

const describeBytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

interface FileProgress {
  readonly Id: number
  readonly Status: string
  readonly EncodingProgress: number
  readonly IsFinished: boolean
  readonly HasErrors: boolean
  readonly ErrorMessage: string | null
}

/** Until all processing is over; throws when it ended with errors. */
const waitForFile = async (api: ApiClient, output: Output, path: string): Promise<ApiRecord> => {
  for (;;) {
    const record = await api.get(path)
    const file = record as unknown as FileProgress
    output.progress(`${file.Status} ${file.EncodingProgress} %`)
    if (file.IsFinished) {
      output.progress('')
      if (file.HasErrors) throw new Error(`File ${file.Id} failed: ${file.ErrorMessage}`)
      return record
    }
    await delay(pollMs)
  }
}

const upload = async (
  api: ApiClient,
  output: Output,
  files: string,
  path: string,
  title?: string,
): Promise<ApiRecord> => {
  const source = await stat(path).catch(() => null)
  if (source?.isFile() !== true) throw new UsageError(`${path} is no file that can be read.`)
  const created = await api.post(files, {
    FileName: basename(path),
    FileSize: source.size,
    ...(title === undefined ? {} : { Metadata: { Title: title } }),
  })
  const { URI } = created['Upload'] as { URI: string }
  await uploadFile(path, URI, (sentBytes, totalBytes) =>
    output.progress(`${describeBytes(sentBytes)} of ${describeBytes(totalBytes)}`),
  )
  output.progress('')
  return api.get(`${files}/${created['Id'] as number}`)
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
        const { api, output, options } = context
        const path = filesOf(options)
        const file = await upload(api, output, path, positional(context, 0), stringOption(options, 'title'))
        const isWaiting = options['wait'] === true
        output.record(isWaiting ? await waitForFile(api, output, `${path}/${file['Id'] as number}`) : file)
      },
    },
    list: {
      usage: '--project <id> [--limit <n>] [--offset <n>]',
      summary: 'List the files of a project',
      positionals: [],
      options: { project: text, ...pageOptions },
      required: ['project'],
      run: async ({ api, output, options }) =>
        output.list(await api.get(`${filesOf(options)}${pageQuery(options)}`), 'Files', [
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
          await context.api.get(`${filesOf(context.options)}/${idPositional(context, 0)}`),
        ),
    },
    delete: {
      usage: '<id> --project <id>',
      summary: 'Delete a file',
      positionals: ['id'],
      options: { project: text },
      required: ['project'],
      run: async (context) =>
        context.output.record(
          await context.api.delete(`${filesOf(context.options)}/${idPositional(context, 0)}`),
        ),
    },
  },
}
