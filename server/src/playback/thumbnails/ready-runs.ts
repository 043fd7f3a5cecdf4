import { tmpdir } from 'node:os'
import { runFfmpeg, type FfmpegRun } from '@zoetrope/ffmpeg'

const idleSeconds = 10
// The wall time includes the time before the input.
const limits = { niceness: 0, wallSeconds: 20 + idleSeconds, cpuSeconds: 20 } as const

export interface ReadyRun {
  readonly run: FfmpegRun
  /** Gives ffmpeg its whole standard input. */
  readonly feed: (parts: readonly Buffer[]) => void
}

interface IdleRun extends ReadyRun {
  readonly abort: AbortController
  readonly timer: NodeJS.Timeout
}

/**
 * Starts ffmpeg before its input is known: loading the program and its libraries takes longer than decoding
 * one picture.
 */
export interface ReadyRuns {
  /** Returns a started run with these arguments, or starts one. */
  readonly take: (args: readonly string[]) => ReadyRun
  /** Starts a run that waits for its input. It ends unless it is taken within ten seconds. */
  readonly prepare: (args: readonly string[]) => void
  /** Ends the runs that wait. */
  readonly close: () => void
}

async function* partsOf(input: Promise<readonly Buffer[]>): AsyncGenerator<Buffer> {
  yield* await input
}

export const createReadyRuns = (options: {
  /** Number of runs that may wait at the same time. */
  readonly most: number
  readonly ffmpegPath?: string | undefined
}): ReadyRuns => {
  const idle = new Map<string, IdleRun>()
  const keyOf = (args: readonly string[]): string => args.join('\0')

  const start = (args: readonly string[], signal?: AbortSignal): ReadyRun => {
    const { promise, resolve } = Promise.withResolvers<readonly Buffer[]>()
    const run = runFfmpeg(args, {
      outputPipes: 1,
      input: partsOf(promise),
      workFolder: tmpdir(),
      limits,
      signal,
      ffmpegPath: options.ffmpegPath,
    })
    return { run, feed: resolve }
  }

  const remove = (key: string): IdleRun | undefined => {
    const found = idle.get(key)
    clearTimeout(found?.timer)
    idle.delete(key)
    return found
  }
  const stop = (key: string): void => remove(key)?.abort.abort()

  return {
    take: (args) => remove(keyOf(args)) ?? start(args),
    prepare: (args) => {
      const key = keyOf(args)
      if (idle.has(key)) return
      // The oldest run makes room for this one.
      for (const oldest of idle.keys()) if (idle.size >= options.most) stop(oldest)
      const abort = new AbortController()
      const ready = start(args, abort.signal)
      const timer = setTimeout(() => stop(key), idleSeconds * 1000).unref()
      const prepared = { run: ready.run, feed: ready.feed, abort, timer }
      idle.set(key, prepared)
      const leave = (): void => {
        if (idle.get(key) === prepared) remove(key)
      }
      // A run that ended by itself must not be taken.
      ready.run.done.then(leave, leave)
    },
    close: () => {
      for (const key of idle.keys()) stop(key)
    },
  }
}
