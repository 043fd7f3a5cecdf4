import { join } from 'node:path'
import { releaseMemoryOfStart } from '../platform/base/garbage-collection.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from './config/config.ts'
import { createTerminal, describeStart } from './first-start/terminal.ts'
import { onSignals } from './on-signals.ts'
import { openLog } from './open-log.ts'
import { localUrl, startTree } from './roles/tree.ts'

const print = (text: string): void => {
  process.stdout.write(text)
}

/** Without a listener, output to a file on a full disk, or to a closed pipe, would end the process. */
const surviveLostOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Runs all roles on this machine. */
export const runTree = async (config: Config, isTerminal: boolean): Promise<void> => {
  surviveLostOutput()
  const terminal = isTerminal ? createTerminal(process.stdout) : null
  const logFile = config.logFile ?? (isTerminal ? join(config.dataFolder, 'zoetrope.log') : null)
  const effective = { ...config, logFile }
  terminal?.showStep('Zoetrope is starting')
  const log = await openLog(effective)
  const onStep = terminal?.showStep ?? ((step: string): void => print(`zoetrope: ${step}\n`))
  const tree = await startTree(effective, log, {
    isTerminal,
    onStep,
    environment: process.env,
    onDown: (role) => {
      terminal?.print(`The ${role} process crashed and restarts; see ${logFile ?? 'the log'}.`)
    },
  })
  let isStopping = false
  const stop = async (): Promise<void> => {
    isStopping = true
    terminal?.showStep('Stopping')
    await tree.stop()
    terminal?.clear()
  }
  onSignals(stop)
  tree.failed.catch(async (error: unknown) => {
    process.stderr.write(`Zoetrope is stopping: ${(error as Error).message}\n`)
    await tree.stop()
    process.exit(1)
  })
  await tree.ready
  if (isStopping) return
  releaseMemoryOfStart()
  if (terminal === null) print(`ready ${config.publicUrl}\n`)
  if (config.isDemoWanted) await addDemo(config, log, onStep)
  // People see the link when the sample video is there, so that its project always has the Id 1 of the guides.
  if (terminal !== null && !isStopping)
    for (const line of describeStart({ ...tree, publicUrl: config.publicUrl, logFile }, terminal.bold))
      terminal.print(line)
}

const addDemo = async (config: Config, log: Log, onStep: (step: string) => void): Promise<void> => {
  const { createDemo } = await import('./first-start/demo.ts')
  await createDemo({
    dataFolder: config.dataFolder,
    localUrl: localUrl(config),
    log,
    onBegin: () => onStep('Creating a project with a sample video'),
  }).catch((error: unknown) => log.warn({ err: error }, 'cannot create the demo project'))
}
