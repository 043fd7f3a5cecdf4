import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const programPath = (program: string): string =>
  fileURLToPath(new URL(`../processes/${program}.ts`, import.meta.url))

const startChild = (program: string, options: object): ChildProcess =>
  fork(programPath(program), [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

const firstMessage = async (child: ChildProcess, program: string): Promise<unknown> => {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${program} ended with ${String(signal ?? code)} before it said anything.`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown]
  ended.catch(() => {})
  return message
}

/** Runs a program of `processes/` to its end and returns its report. */
export const runChild = async <Result>(program: string, options: object): Promise<Result> => {
  const child = startChild(program, options)
  const exited = once(child, 'exit')
  const result = await firstMessage(child, program)
  child.disconnect()
  await exited
  return result as Result
}

export interface Server<Ready, Message> {
  readonly processId: number
  readonly ready: Ready
  readonly onMessage: (listener: (message: Message) => void) => void
  readonly stop: () => Promise<void>
}

/** Starts a program of `processes/` that serves until it is stopped. */
export const startServer = async <Ready, Message = never>(
  program: string,
  options: object,
): Promise<Server<Ready, Message>> => {
  const child = startChild(program, options)
  const exited = once(child, 'exit')
  const ready = (await firstMessage(child, program)) as Ready
  return {
    processId: child.pid ?? 0,
    ready,
    onMessage: (listener) => child.on('message', listener as (message: unknown) => void),
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
