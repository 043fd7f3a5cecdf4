import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { MediaError } from './media-error.ts'
import { createStderrTail } from './stderr-tail.ts'

export type ProcessLimits = {
  /** How much it stands back for others, from 0 to 19; the server itself is at 0. */
  niceness?: number | undefined
  /** Seconds from start to end. */
  wallSeconds?: number | undefined
  /** Seconds of processor time over all threads; needs `prlimit` (Linux). */
  cpuSeconds?: number | undefined
  /** Size of the largest file that it may write; needs `prlimit` (Linux). */
  outputFileBytes?: number | undefined
}

export type ProcessExit = {
  exitCode: number | null
  killSignal: string | null
  stderrTail: string
  /** Why we stopped it, when we did. */
  stoppedBecause: MediaError | null
}

export type GuardedProcess = {
  processId: number | undefined
  /** Null unless it was asked for. */
  stdin: Writable | null
  /** Must be read: the exit waits for its end. */
  stdout: Readable
  /** File descriptors 3, 4, 5 … */
  pipes: Socket[]
  /** Kills the whole process group at once. The first reason counts. */
  stop: (reason: MediaError) => void
  /** Resolves, never rejects, when the process is gone, reaped, and its last words are read. */
  exited: Promise<ProcessExit>
}

type Options = {
  workFolder: string
  pipeCount?: number
  /** False: its standard input is empty. */
  hasInput?: boolean
  signal?: AbortSignal | undefined
  limits?: ProcessLimits | undefined
  onInfoLine?: (line: string) => void
}

/** The child sees nothing of our environment but where programs are. */
const childEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', LC_ALL: 'C' })

const defaultNiceness = 10

const workingWrappers = new Map<string, boolean>()

/** A wrapper is used when it can run `true`: busybox has a `setpriv` without `--pdeathsig`, macOS has none. Asked once per process. */
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
 * `setpriv --pdeathsig` kills the child when our process dies, even by kill -9. All wrappers replace themselves by the next program, so the
 * process id stays ffmpeg's. Without them a child that writes to our pipes still ends by EPIPE.
 */
const wrappersFor = (limits: ProcessLimits): string[] => {
  const prlimit = wrapper('prlimit', '--core=0')
  if (prlimit.length > 0) {
    // ffmpeg answers the soft limit (SIGXCPU) by ending in good order; the hard one is for what doesn't.
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

/** Starts a program by an argument list (never a shell) in its own process group, niced, limited, and killed as a group. */
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
    // After the exit the id may belong to somebody else.
    if (isGone || stoppedBecause !== null) return
    stoppedBecause = reason
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }

  const onAbort = (): void => stop(new MediaError('aborted', 'The work was cancelled.'))
  options.signal?.addEventListener('abort', onAbort)
  const wallTimer =
    limits.wallSeconds === undefined
      ? undefined
      : setTimeout(() => {
          const text = `Processing the file took longer than the ${limits.wallSeconds} seconds allowed.`
          stop(new MediaError('too_long', text))
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
