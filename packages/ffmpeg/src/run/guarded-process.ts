import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { MediaError, mediaMessage } from './media-error.ts'
import { createStderrTail } from './stderr-tail.ts'

export type ProcessLimits = {
  /** Nice value of the process, 0 to 19; the server runs at 0. */
  niceness?: number | undefined
  /** Seconds from start to end. */
  wallSeconds?: number | undefined
  /** CPU seconds of all threads together; requires `prlimit` (Linux). */
  cpuSeconds?: number | undefined
  /** Size limit of each file that the process writes; requires `prlimit` (Linux). */
  outputFileBytes?: number | undefined
}

export type ProcessExit = {
  exitCode: number | null
  killSignal: string | null
  stderrTail: string
  /** Reason passed to `stop`; null when the process ended by itself. */
  stoppedBecause: MediaError | null
}

export type GuardedProcess = {
  processId: number | undefined
  /** Null unless `hasInput` is set. */
  stdin: Writable | null
  /** The caller must read it: `exited` waits for its end. */
  stdout: Readable
  /** File descriptors 3, 4, 5 … */
  pipes: Socket[]
  /** Kills the whole process group immediately. Only the first reason is kept. */
  stop: (reason: MediaError) => void
  /** Resolves when the process is reaped and its output is read. Never rejects. */
  exited: Promise<ProcessExit>
}

type Options = {
  workFolder: string
  pipeCount?: number
  /** When false, standard input is empty. */
  hasInput?: boolean
  signal?: AbortSignal | undefined
  limits?: ProcessLimits | undefined
  onInfoLine?: (line: string) => void
}

/** The child process inherits nothing from the environment except PATH. */
const childEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', LC_ALL: 'C' })

const defaultNiceness = 10

const workingWrappers = new Map<string, boolean>()

/**
 * Returns the wrapper when it can run `true`: busybox has a `setpriv` without `--pdeathsig`, and macOS has
 * none. The result is cached for the process.
 */
const wrapper = (...words: string[]): string[] => {
  const key = words.join(' ')
  let works = workingWrappers.get(key)
  if (works === undefined) {
    const [command = '', ...rest] = words
    works = spawnSync(command, [...rest, 'true'], { env: childEnvironment(), stdio: 'ignore' }).status === 0
    workingWrappers.set(key, works)
  }
  return works ? words : []
}

/**
 * `setpriv --pdeathsig` kills the child when the server process dies, even by SIGKILL. Every wrapper replaces
 * itself with the next program, so the process id is that of ffmpeg. Without wrappers, a child that writes to
 * a pipe still ends with EPIPE.
 */
const wrappersFor = (limits: ProcessLimits): string[] => {
  const prlimit = wrapper('prlimit', '--core=0')
  if (prlimit.length > 0) {
    // ffmpeg exits cleanly at the soft limit (SIGXCPU); the hard limit ends programs that ignore it.
    if (limits.cpuSeconds !== undefined) {
      const softSeconds = Math.max(1, Math.ceil(limits.cpuSeconds))
      prlimit.push(`--cpu=${softSeconds}:${softSeconds + 5}`)
    }
    if (limits.outputFileBytes !== undefined) prlimit.push(`--fsize=${limits.outputFileBytes}`)
  }
  const niceness = limits.niceness ?? defaultNiceness
  return [
    ...wrapper('setpriv', '--pdeathsig', 'KILL'),
    ...prlimit,
    ...(niceness === 0 ? [] : wrapper('nice', '-n', String(niceness))),
  ]
}

/**
 * Starts a program from an argument list, without a shell, in its own process group with limits and a nice
 * value. `stop` kills the whole group.
 */
export const startGuarded = (command: string, args: readonly string[], options: Options): GuardedProcess => {
  const limits = options.limits ?? {}
  const pipeCount = options.pipeCount ?? 0
  const [file = command, ...words] = [...wrappersFor(limits), command, ...args]
  const child = spawn(file, words, {
    cwd: options.workFolder,
    env: childEnvironment(),
    detached: true,
    stdio: [options.hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...Array<'pipe'>(pipeCount).fill('pipe')],
  })
  const stdout = child.stdio[1] as Readable
  const stderr = child.stdio[2] as Readable
  const pipes = child.stdio.slice(3) as Socket[]

  const tail = createStderrTail(options.onInfoLine)
  stderr.setEncoding('utf8').on('data', tail.push)

  let isGone = false
  let stoppedBecause: MediaError | null = null
  const stop = (reason: MediaError): void => {
    // After the exit, another process may have the same id.
    if (isGone || stoppedBecause !== null) return
    stoppedBecause = reason
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }

  const onAbort = (): void => stop(new MediaError('aborted', mediaMessage('work_cancelled')))
  options.signal?.addEventListener('abort', onAbort)
  const wallTimer =
    limits.wallSeconds === undefined
      ? undefined
      : setTimeout(() => {
          const seconds = limits.wallSeconds ?? 0
          stop(new MediaError('too_long', mediaMessage('processing_too_long', { seconds })))
        }, limits.wallSeconds * 1000)

  const awaitExit = async (): Promise<ProcessExit> => {
    const outputEnd = Promise.allSettled([finished(stdout), finished(stderr)])
    try {
      const [exitCode, killSignal] = (await once(child, 'exit')) as [number | null, string | null]
      isGone = true
      await outputEnd
      return { exitCode, killSignal, stderrTail: tail.text(), stoppedBecause }
    } catch (error) {
      return { exitCode: null, killSignal: null, stderrTail: String(error), stoppedBecause }
    } finally {
      isGone = true
      clearTimeout(wallTimer)
      options.signal?.removeEventListener('abort', onAbort)
    }
  }
  const exited = awaitExit()
  if (options.signal?.aborted) onAbort()
  return { processId: child.pid, stdin: child.stdin, stdout, pipes, stop, exited }
}
