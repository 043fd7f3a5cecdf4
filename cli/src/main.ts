import { runCommandLine } from './run-command-line.ts'

// Who reads our output may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

process.exitCode = await runCommandLine(process.argv.slice(2), process)
