import { basename } from 'node:path'
import type { Command } from '../command.ts'
import { idPositional, positional, requiredIdOption, textOption } from '../options.ts'
import { expandPaths } from './expand-paths.ts'
import { createProgressBoard } from './progress-board.ts'
import { sendFile, uploadStateOf } from './send-file.ts'

export const replaceVerb: Command = {
  operations: ['replaceFile'],
  usage: '<id> <path> --project <id>',
  summary: 'Give a file another source; the old one plays until the new one does',
  details: 'Goes on where it was after an interruption, as `files upload` does.',
  positionals: ['id', 'path'],
  options: { project: textOption('the project, by its id') },
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
      await state.forget()
      row.end(`${file.Status}, file ${fileId}`)
      output.record(file)
    } catch (error) {
      row.end(`failed: ${(error as Error).message}`)
      throw error
    }
  },
}
