import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { newId } from './ids.ts'

/**
 * The first restarts are immediate, so that one crash is hardly noticeable. Later ones back off, so that a
 * broken program does not waste CPU.
 */
const defaultRestartDelaysMs = [100, 500, 2_000, 5_000, 15_000, 30_000] as const
/** A child that ran this long has recovered: its next crash starts over with the first delay. */
const healthyAfterMs = 60_000
/** Time limit of a child's drain once its parent is dead and cannot kill it. */
const orphanDrainMs = 20_000

export interface SuperviseOptions {
  name: string
  /** Arguments for this Node: the script and its arguments. The script must call {@link exitWithParent}. */
  args: readonly string[]
  /** The environment of each start; that of the parent without it. */
  env?: (startId: string) => NodeJS.ProcessEnv
  /** Sent to each child that is started, as soon as it is known: see {@link messageOfParent}. */
  message?: Promise<object>
  /** Delays before restarts; the last one repeats. */
  restartDelaysMs?: readonly number[]
  log: { info: (message: string) => void; warn: (message: string) => void }
  onExit?: (exit: ChildExit) => void
}

export interface ChildExit {
  /** Unique to each start of a child. */
  startId: string
  code: number | null
  signal: NodeJS.Signals | null
  isWanted: boolean
}

export interface Supervised {
  /** Returns whether the child process is alive; it may still be starting. */
  isUp: () => boolean
  pid: () => number | undefined
  /**
   * Sends SIGTERM, then after `graceMs` SIGKILL to the child and all its processes. Settles when the child is
   * gone.
   */
  stop: (graceMs: number) => Promise<void>
}

/**
 * Keeps a child process running: restarts it with growing delays after every exit that `stop` did not cause.
 *
 * The child leads its own process group. Ctrl-C in the terminal therefore reaches only the parent, which
 * decides the order of the shutdown. The parent can also kill the child's processes (encoders) with it.
 * Standard output and error are inherited.
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
    const startId = newId()
    const started = spawn(process.execPath, args, {
      detached: true,
      env: options.env?.(startId) ?? process.env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = started
    // Must not reject: the caller then stops the child. A child that ends meanwhile needs no message.
    void options.message?.then((message) => started.connected && started.send(message, () => {}))
    let isEnded = false
    const ended = (code: number | null, signal: NodeJS.Signals | null, problem?: string): void => {
      if (isEnded) return
      isEnded = true
      child = undefined
      // Processes of a crashed child are orphaned: its encoders must not run beside those of its successor.
      if (started.pid !== undefined) killGroup(started.pid)
      options.onExit?.({ startId, code, signal, isWanted: isStopping })
      if (isStopping) return onGone()
      if (performance.now() - startedAt >= healthyAfterMs) crashes = 0
      const delayMs = restartDelaysMs[Math.min(crashes, restartDelaysMs.length - 1)] ?? 0
      crashes += 1
      const how = problem ?? (signal ? `was killed by ${signal}` : `ended with code ${code}`)
      log.warn(`${name} ${how}; restarting it in ${delayMs} ms`)
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
      log.warn(`${name} did not stop within ${graceMs} ms; killing it`)
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

/** A group outlives its leader while it has members; usually it has none left. */
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * For the child: when the parent dies, their channel closes. This function then drains and exits within a
 * time limit. Does nothing in an unsupervised process.
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
  // The listener would otherwise keep an idle process alive.
  process.channel?.unref()
}

/** For the child: the message of its parent. Ends this process when the parent dies before. */
export const messageOfParent = async (): Promise<unknown> => {
  // The open channel keeps this process alive until the message comes.
  process.channel?.ref()
  const [message] = (await once(process, 'message')) as [unknown]
  process.channel?.unref()
  return message
}
