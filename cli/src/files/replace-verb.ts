import { basename } from 'node:path'
import type { Command } from '../command.ts'
import { idPositional, positional, requiredIdOption, textOption } from '../options.ts'
import { expandPaths } from './expand-paths.ts'
import { createProgressBoard } from './progress-board.ts'
import { sendFile, uploadStateOf } from './send-file.ts'

export const replaceVerb: Command = {
  operations: ['replaceFile'],
  usage: '<id> <path> --project <id>',
  summary: 'Replace the source of a file; the old one plays until the new one is ready',
  details: 'Run the same command again to resume an interrupted upload, as with `files upload`.',
  positionals: ['id', 'path'],
  options: { project: textOption('Id of the project') },
  required: ['project'],
  run: async (context) => {
    const { client, apiBase, output, options } = context
    const projectId = requiredIdOption(options, 'project')
    const fileId = idPositional(context, 0)
    const [path = ''] = await expandPaths([positional(context, 1)])
    const row = createProgressBoard(process.stderr, output.isJson).row(basename(path))
    try {
      const place = { apiBase, projectId, purpose: `replace ${fileId}` }
      const state = await uploadStateOf(path, place)
      const file = await sendFile(path, state, row, (sending) =>
        client.files.replace(projectId, fileId, path, sending),
      )
      await state.remove()
      row.end(`${file.Status}, file ${fileId}`)
      output.record(file)
    } catch (error) {
      row.end(`failed: ${(error as Error).message}`)
      throw error
    }
  },
}
