import { spawn, type ChildProcess } from 'node:child_process'

/** First restarts come at once, so that one crash is hardly noticed; a program that can't run shall not burn the machine. */
const defaultRestartDelaysMs = [100, 500, 2_000, 5_000, 15_000, 30_000] as const
/** Whoever ran this long has recovered: its next crash starts over with the first delay. */
const healthyAfterMs = 60_000
/** How long the drain of a child may take once its parent is dead and nobody is left to kill it. */
const orphanDrainMs = 20_000

export interface SuperviseOptions {
  /** For the log, for instance `worker`. */
  name: string
  /** Arguments for this Node: its script and what follows. The script must call {@link exitWithParent}. */
  args: readonly string[]
  /** Replaces the environment; the parent's by default. */
  env?: NodeJS.ProcessEnv
  /** Waiting times before restarts; the last one repeats. */
  restartDelaysMs?: readonly number[]
  log: { info: (message: string) => void; warn: (message: string) => void }
  /** Called after each end of the child, wanted or not, before any restart. */
  onExit?: (exit: ChildExit) => void
}

export interface ChildExit {
  code: number | null
  signal: NodeJS.Signals | null
  isWanted: boolean
}

export interface Supervised {
  /** Whether a child runs at this moment; it may not have finished its own start. */
  isUp: () => boolean
  pid: () => number | undefined
  /** SIGTERM, then after `graceMs` SIGKILL to the child and all that it started. Settles when the child is gone. */
  stop: (graceMs: number) => Promise<void>
}

/**
 * Keeps a child process running: restarts it after every end that `stop` did not ask for, later and later.
 *
 * The child leads a group of its own. So Ctrl-C in the terminal reaches only the parent, which decides the order of
 * the shutdown, and the child's own children (encoders) can be killed with it. Standard output and error are ours.
 */
export const supervise = (options: SuperviseOptions): Supervised => {
  const { name, args, log, restartDelaysMs = defaultRestartDelaysMs } = options
  let child: ChildProcess | undefined
  let restartTimer: NodeJS.Timeout | undefined
  let crashes = 0
  let isStopping = false
  let onGone = (): void => undefined

  const start = (): void => {
    const startedAt = performance.now()
    const started = spawn(process.execPath, args, {
      detached: true,
      env: options.env ?? process.env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = started
    let isEnded = false
    const ended = (code: number | null, signal: NodeJS.Signals | null, problem?: string): void => {
      if (isEnded) return
      isEnded = true
      child = undefined
      // What a crashed child started has lost its master: encoders must not go on beside those of its successor.
      if (started.pid !== undefined) killGroup(started.pid)
      options.onExit?.({ code, signal, isWanted: isStopping })
      if (isStopping) return onGone()
      if (performance.now() - startedAt >= healthyAfterMs) crashes = 0
      const delayMs = restartDelaysMs[Math.min(crashes, restartDelaysMs.length - 1)] ?? 0
      crashes += 1
      const how = problem ?? (signal ? `was killed by ${signal}` : `ended with code ${code}`)
      log.warn(`${name} ${how}; starting it again in ${delayMs} ms`)
      restartTimer = setTimeout(start, delayMs)
    }
    started.once('exit', ended)
    started.once('error', (error) => {
      if (started.pid === undefined) ended(null, null, `did not start: ${error.message}`)
    })
    if (started.pid !== undefined) log.info(`${name} runs as process ${started.pid}`)
  }

  const stop = async (graceMs: number): Promise<void> => {
    isStopping = true
    clearTimeout(restartTimer)
    const running = child
    if (running?.pid === undefined) return
    const { pid } = running
    const gone = new Promise<void>((resolve) => (onGone = resolve))
    running.kill('SIGTERM')
    const killTimer = setTimeout(() => {
      log.warn(`${name} did not end within ${graceMs} ms and is killed`)
      killGroup(pid)
    }, graceMs)
    await gone
    clearTimeout(killTimer)
  }

  start()
  let stopping: Promise<void> | undefined
  return {
    isUp: () => child !== undefined,
    pid: () => child?.pid,
    stop: (graceMs) => (stopping ??= stop(graceMs)),
  }
}

/** The group outlives its leader as long as it has members; that it has none left is the usual case. */
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * For the child's side: when the parent dies in whatever way, the channel to it closes; then this drains and ends the
 * process, within a time limit. Does nothing in a process that nobody supervises.
 */
export const exitWithParent = (drain: () => Promise<void> | void): void => {
  if (!process.connected) return
  process.once('disconnect', () => {
    const exit = (code: number): never => process.exit(code)
    setTimeout(() => exit(1), orphanDrainMs)
    Promise.resolve()
      .then(drain)
      .then(
        () => exit(0),
        () => exit(1),
      )
  })
  // The listener would keep a process alive that has nothing left to do.
  process.channel?.unref()
}
