import { runFfmpeg, type FfmpegRun } from '@zoetrope/ffmpeg'

const idleSeconds = 10
// The wall time includes the time before the input.
const limits = { niceness: 0, wallSeconds: 20 + idleSeconds, cpuSeconds: 20 } as const

export interface ReadyRun {
  readonly run: FfmpegRun
  readonly feed: (parts: readonly Buffer[]) => void
}

interface IdleRun extends ReadyRun {
  readonly key: string
  readonly abort: AbortController
  readonly timer: NodeJS.Timeout
}

/**
 * Starts ffmpeg before its input is known: loading the program and its libraries takes longer than decoding
 * one picture.
 */
export interface ReadyRuns {
  readonly take: (args: readonly string[]) => ReadyRun
  /**
   * Starts runs that wait for their input, until `perArguments` of them have these arguments. They end unless
   * they are taken within ten seconds.
   */
  readonly prepare: (args: readonly string[]) => void
  readonly close: () => void
}

async function* partsOf(input: Promise<readonly Buffer[]>): AsyncGenerator<Buffer> {
  yield* await input
}

export const createReadyRuns = (options: {
  /** Number of runs with the same arguments that may wait. */
  readonly perArguments: number
  readonly most: number
  readonly ffmpegPath?: string | undefined
}): ReadyRuns => {
  const { perArguments, most } = options
  // In the order of their starts.
  const idle = new Set<IdleRun>()
  const keyOf = (args: readonly string[]): string => args.join('\0')
  const idleOf = (key: string): IdleRun[] => [...idle].filter((ready) => ready.key === key)

  const start = (args: readonly string[], signal?: AbortSignal): ReadyRun => {
    const { promise, resolve } = Promise.withResolvers<readonly Buffer[]>()
    const run = runFfmpeg(args, {
      outputPipes: 1,
      input: partsOf(promise),
      limits,
      signal,
      ffmpegPath: options.ffmpegPath,
    })
    return { run, feed: resolve }
  }

  const remove = (ready: IdleRun): void => {
    clearTimeout(ready.timer)
    idle.delete(ready)
  }
  const stop = (ready: IdleRun): void => {
    remove(ready)
    ready.abort.abort()
  }

  const startIdle = (args: readonly string[]): void => {
    const abort = new AbortController()
    const { run, feed } = start(args, abort.signal)
    const timer = setTimeout(() => stop(prepared), idleSeconds * 1000).unref()
    const prepared: IdleRun = { key: keyOf(args), run, feed, abort, timer }
    idle.add(prepared)
    // A run that ended by itself must not be taken.
    const leave = (): void => remove(prepared)
    run.done.then(leave, leave)
  }

  return {
    take: (args) => {
      const [ready] = idleOf(keyOf(args))
      if (ready === undefined) return start(args)
      remove(ready)
      return ready
    },
    prepare: (args) => {
      const missing = perArguments - idleOf(keyOf(args)).length
      // The oldest run makes room for the first of these only: sizes that alternate must not evict each other.
      const [oldest] = idle
      if (missing === perArguments && idle.size >= most && oldest !== undefined) stop(oldest)
      const count = Math.min(missing, most - idle.size)
      for (let started = 0; started < count; started++) startIdle(args)
    },
    close: () => {
      for (const ready of idle) stop(ready)
    },
  }
}
