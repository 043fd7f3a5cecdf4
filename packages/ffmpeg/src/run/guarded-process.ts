import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isMemoryRefused, MediaError, mediaMessage, notStarted } from './media-error.ts'
import type { Confinement } from '../sandbox/confinement.ts'
import { ownerEnvironment } from '../sandbox/orphans.ts'
import {
  confineAt,
  findInPath,
  sandboxLevel,
  unconfined,
  type ConfinedCommand,
  type SandboxLevel,
} from '../sandbox/sandbox.ts'
import { observeRun } from './observe-runs.ts'
import { createStderrTail } from './stderr-tail.ts'
import { createWrapper, runWithoutOutput } from './working-wrapper.ts'

export type ProcessLimits = {
  /** Nice value of the process, 0 to 19; the server runs at 0. */
  niceness?: number | undefined
  /** Seconds from start to end. */
  wallSeconds?: number | undefined
  /** CPU seconds of all threads together; requires `prlimit` (Linux). */
  cpuSeconds?: number | undefined
  /** Size limit of each file that the process writes; requires `prlimit` (Linux). */
  outputFileBytes?: number | undefined
  /** Size limit of the memory that the process allocates; requires `prlimit` (Linux). */
  memoryBytes?: number | undefined
}

export type ProcessExit = {
  exitCode: number | null
  killSignal: string | null
  stderrTail: string
  hasLoggedErrors: boolean
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
  /** Whether it has logged errors so far. */
  hasLoggedErrors: () => boolean
  /** Resolves when the process is reaped and its output is read. Never rejects. */
  exited: Promise<ProcessExit>
}

type Options = {
  /** Folder for relative names. When absent, the process has an empty folder that is lost at its end. */
  workFolder?: string | undefined
  /** What the process may reach. Null: it is not confined (programs of tests). */
  confinement: Confinement | null
  /** Default: the strongest level that works on this machine. */
  level?: SandboxLevel | undefined
  pipeCount?: number
  /** When false, standard input is empty. */
  hasInput?: boolean
  signal?: AbortSignal | undefined
  limits?: ProcessLimits | undefined
  onInfoLine?: (line: string) => void
}

/** The child process inherits nothing from the environment except PATH. Fewer arenas keep the address space of many threads small. */
const childEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'] ?? '',
  LC_ALL: 'C',
  MALLOC_ARENA_MAX: '2',
  ...ownerEnvironment(),
})

/**
 * ffmpeg skips a frame for which it gets no memory. A source may have a few such frames; one that consists of them would
 * take half a second of processor time for each.
 */
const mostRefusals = 3

const defaultNiceness = 10
const threadStackBytes = 1024 * 1024

const wrapper = createWrapper(runWithoutOutput(childEnvironment))

/** Ends when the server process died before the death signal was set. Its id is the first argument. */
const endWithoutParent = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', String(process.pid)]

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
    // RLIMIT_AS would break x264. The stack of each thread counts, so it is small.
    if (limits.memoryBytes !== undefined)
      prlimit.push(`--data=${limits.memoryBytes}`, `--stack=${threadStackBytes}`)
  }
  const niceness = limits.niceness ?? defaultNiceness
  const deathSignal = wrapper('setpriv', '--pdeathsig', 'KILL')
  return [
    ...deathSignal,
    ...(deathSignal.length > 0 ? endWithoutParent : []),
    ...prlimit,
    ...(niceness === 0 ? [] : wrapper('nice', '-n', String(niceness))),
  ]
}

/** Without privileges, Linux accepts one such change each tenth of a second. */
const groupRetryMs = 150

/**
 * Linux distributes the processor among sessions first, and compares nice values only within one (sched(7), autogroup). So
 * the session of the process gets its nice value, too.
 */
const setSessionNiceness = async (processId: number, niceness: number): Promise<void> => {
  const set = () => writeFile(`/proc/${processId}/autogroup`, String(niceness))
  await set().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAGAIN') return
    await delay(groupRetryMs, null, { ref: false })
    // The process may have ended, or another one was faster: then this one keeps its share.
    await set().catch(() => {})
  })
}

const confine = (program: string, options: Options, filterDescriptor: number): ConfinedCommand => {
  const { confinement, workFolder = null } = options
  if (confinement === null) return unconfined
  return confineAt(options.level ?? sandboxLevel(), program, confinement, { workFolder, filterDescriptor })
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** bubblewrap reports a signal of its program as an exit code above 128, like a shell. */
const killSignalOf = (exitCode: number | null): string | null =>
  exitCode !== null && exitCode > 128 && exitCode < 160 ? (signalNames.get(exitCode - 128) ?? null) : null

/**
 * Starts a program from an argument list, without a shell, in its own process group with limits and a nice
 * value. `stop` kills the whole group.
 */
export const startGuarded = (command: string, args: readonly string[], options: Options): GuardedProcess => {
  const limits = options.limits ?? {}
  const pipeCount = options.pipeCount ?? 0
  const filterDescriptor = 3 + pipeCount
  const program = findInPath(command) ?? command
  const confined = confine(program, options, filterDescriptor)
  const { granted } = confined
  const renamed = granted === null ? args : args.map(granted.renamed)
  const [file = command, ...words] = [...wrappersFor(limits), ...confined.words, program, ...renamed]
  const child = spawn(file, words, {
    cwd: options.workFolder ?? tmpdir(),
    env: { ...childEnvironment(), ...confined.environment },
    detached: true,
    stdio: [
      options.hasInput ? 'pipe' : 'ignore',
      'pipe',
      'pipe',
      ...Array<'pipe'>(pipeCount + (confined.filter === null ? 0 : 1)).fill('pipe'),
      ...(granted?.descriptors ?? []),
    ],
  })
  granted?.close()
  if (child.pid !== undefined) void setSessionNiceness(child.pid, limits.niceness ?? defaultNiceness)
  const stdout = child.stdio[1] as Readable
  const stderr = child.stdio[2] as Readable
  const pipes = child.stdio.slice(3, filterDescriptor) as Socket[]
  if (confined.filter !== null) {
    const filter = child.stdio[filterDescriptor] as Socket
    // The process may be gone already; its exit code tells why.
    filter.on('error', () => {}).end(confined.filter)
  }

  let refusals = 0
  const countRefusals = (line: string): void => {
    if (!isMemoryRefused(line)) return
    refusals += 1
    if (refusals === mostRefusals) stop(new MediaError('too_complex', mediaMessage('too_complex')))
  }
  const tail = createStderrTail({ onInfo: options.onInfoLine, onProblem: countRefusals })
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
      granted?.removeLinks()
      // Node now reads the pipes to their end, which would look like the end of the media.
      if (stoppedBecause !== null)
        for (const pipe of pipes) pipe.on('error', () => {}).destroy(stoppedBecause)
      await outputEnd
      const signal = killSignal ?? killSignalOf(exitCode)
      return {
        exitCode: signal === null ? exitCode : null,
        killSignal: signal,
        stderrTail: tail.text(),
        hasLoggedErrors: tail.hasErrors(),
        stoppedBecause,
      }
    } catch (error) {
      const stderrTail = String(error)
      stoppedBecause ??= notStarted(command, stderrTail)
      return { exitCode: null, killSignal: null, stderrTail, hasLoggedErrors: true, stoppedBecause }
    } finally {
      isGone = true
      clearTimeout(wallTimer)
      options.signal?.removeEventListener('abort', onAbort)
    }
  }
  const exited = awaitExit()
  const onExit = observeRun(command)
  if (onExit !== null) void exited.then(onExit)
  if (options.signal?.aborted) onAbort()
  return {
    ...{ processId: child.pid, stdin: child.stdin, stdout, pipes, stop, exited },
    hasLoggedErrors: tail.hasErrors,
  }
}
