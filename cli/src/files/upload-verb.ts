import { basename } from 'node:path'
import { NotFoundError, type MediaFile } from '@zoetrope/sdk'
import type { Command, CommandContext } from '../command.ts'
import { flagOption, numberOption, requiredIdOption, stringOption, textOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import { expandPaths } from './expand-paths.ts'
import { createProgressBoard, type ProgressBoard } from './progress-board.ts'
import { sendFile, uploadStateOf } from './send-file.ts'
import { untilFinished } from './until-finished.ts'
import { dropOldStates, type UploadState } from './upload-state.ts'

const defaultParallel = 2

type Outcome =
  | { readonly path: string; readonly file: MediaFile }
  | { readonly path: string; readonly error: Error }

const stateOf = ({ apiBase, options }: CommandContext, path: string): Promise<UploadState> =>
  uploadStateOf(path, { apiBase, projectId: requiredIdOption(options, 'project'), purpose: 'upload' })

/** Returns the file that an interrupted run uploaded, or null when it cannot be used. */
const findDone = async (
  { client }: CommandContext,
  projectId: number,
  state: UploadState,
): Promise<MediaFile | null> => {
  const fileId = await state.findDone()
  if (fileId === null) return null
  const file = await client.files.get(projectId, fileId).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null
    throw error
  })
  return file?.HasErrors === true ? null : file
}

const uploadOne = async (
  context: CommandContext,
  path: string,
  board: ProgressBoard,
  isOneOfSeveral: boolean,
): Promise<MediaFile> => {
  const { client, options } = context
  const projectId = requiredIdOption(options, 'project')
  const title = stringOption(options, 'title')
  const externalId = stringOption(options, 'external-id')
  const row = board.row(basename(path))
  try {
    const state = await stateOf(context, path)
    let file = isOneOfSeveral ? await findDone(context, projectId, state) : null
    const isNew = file === null
    file ??= await sendFile(path, state, row, (sending) =>
      client.files.upload(projectId, path, {
        ...(title === undefined ? {} : { Metadata: { Title: title } }),
        ...(externalId === undefined ? {} : { ExternalId: externalId }),
        ...sending,
      }),
    )
    if (isOneOfSeveral) state.saveDone(file.Id)
    else await state.remove()
    if (options['wait'] === true)
      file = await untilFinished(client, projectId, file.Id, ({ Id, Status, EncodingProgress }) =>
        row.step(Status, EncodingProgress / 100, `file ${Id}`),
      )
    row.end(`${file.Status}, file ${file.Id}${isNew ? '' : ', uploaded before'}`)
    return file
  } catch (error) {
    row.end(`failed: ${(error as Error).message}`)
    throw error
  }
}

/** Uploads several files in parallel. A failed upload does not stop the others. */
const uploadAll = async (
  context: CommandContext,
  paths: readonly string[],
  board: ProgressBoard,
): Promise<Outcome[]> => {
  const parallel = numberOption(context.options, 'parallel', { from: 1, to: 16, otherwise: defaultParallel })
  const outcomes: Outcome[] = []
  const waiting = paths.entries()
  const work = async (): Promise<void> => {
    for (const [index, path] of waiting)
      outcomes[index] = await uploadOne(context, path, board, paths.length > 1).then(
        (file) => ({ path, file }),
        (error: unknown) => ({ path, error: error as Error }),
      )
  }
  await Promise.all(Array.from({ length: Math.min(parallel, paths.length) }, work))
  // A repeated command uploads all files again.
  if (outcomes.every((outcome) => 'file' in outcome))
    for (const path of paths) await (await stateOf(context, path).catch(() => null))?.remove()
  return outcomes
}

/** The upload state is always on disk, so there is nothing to save now. */
const sayHowToGoOn = (): void => {
  process.once('SIGINT', () => {
    if (process.stderr.isTTY) process.stderr.write('\nStopped. Run the same command again to resume.\n')
    process.exit(130)
  })
}

const upload = async (context: CommandContext): Promise<void> => {
  const { output, options, positionals } = context
  const paths = await expandPaths(positionals)
  if (paths.length > 1 && stringOption(options, 'title') !== undefined)
    throw new UsageError('--title can only be used with one file.')
  if (paths.length > 1 && stringOption(options, 'external-id') !== undefined)
    throw new UsageError('--external-id can only be used with one file: it is unique in a project.')
  await dropOldStates(process.env)
  sayHowToGoOn()
  const board = createProgressBoard(process.stderr, output.isJson)
  const outcomes = await uploadAll(context, paths, board)
  const [first] = outcomes
  const isOne = positionals.length === 1 && paths[0] === positionals[0]
  if (isOne && first !== undefined) {
    if ('error' in first) throw first.error
    return output.record(first.file)
  }
  const done = outcomes.flatMap((outcome) => ('file' in outcome ? [outcome.file] : []))
  const failed = outcomes.flatMap((outcome) =>
    'error' in outcome ? [{ Path: outcome.path, Message: outcome.error.message }] : [],
  )
  output.list({ Files: done, Failed: failed }, 'Files', ['Id', 'Metadata.Title', 'Status', 'CreatedAt'])
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${outcomes.length} files failed:\n${failed.map(({ Path, Message }) => `  ${Path}: ${Message}`).join('\n')}`,
    )
}

export const uploadVerb: Command = {
  operations: ['createFile', 'getFile'],
  usage:
    '<path or pattern> … --project <id> [--title <text>] [--external-id <text>] [--wait] [--parallel <n>]',
  summary: 'Upload files',
  details: `Paths, and patterns such as 'tapes/**/*.mov', which can be quoted. After Ctrl-C, a crash or a restart of
either side, run the same command again to resume, as long as the server keeps the unfinished upload. Files that are already
uploaded are not sent again.

  ./zoetrope files upload interview.mp4 --project 2 --wait
  ./zoetrope files upload 'tapes/*.mov' --project 2 --parallel 4 --json`,
  positionals: ['path'],
  isVariadic: true,
  options: {
    project: textOption('Id of the project'),
    title: textOption('title, for a single file; default: file name'),
    'external-id': textOption('ExternalId, for a single file'),
    wait: flagOption('wait until the files are encoded'),
    parallel: textOption(`number of concurrent uploads; default ${defaultParallel}`),
  },
  required: ['project'],
  run: upload,
}
