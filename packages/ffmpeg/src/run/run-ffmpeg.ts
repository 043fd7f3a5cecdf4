import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorOfExit } from './describe-exit.ts'
import { allocationArguments } from './safe-arguments.ts'
import { startGuarded, type ProcessLimits } from './guarded-process.ts'
import { MediaError, mediaMessage, tooLong } from './media-error.ts'
import { confinementOf } from '../sandbox/confinement-of.ts'

export type RunLimits = ProcessLimits & {
  /** Seconds without progress; a reader that does not read its pipes also counts as no progress. */
  stallSeconds?: number | undefined
  /**
   * Limit of the output duration, in seconds. The duration in a file may be false, and a short file may
   * decode without end.
   */
  mediaSeconds?: number | undefined
}

/** `speed` is in seconds of media per second; null before ffmpeg knows it. */
export type RunProgress = { outTimeSeconds: number; speed: number | null }

export type RunResult = {
  /** User and system time as ffmpeg measured it. */
  cpuSeconds: number | null
  stderrTail: string
  /** ffmpeg continues after an error in the media, and its exit code does not show it. */
  hasLoggedErrors: boolean
}

export type RunOptions = {
  /** Number of outputs named `pipe:3`, `pipe:4` and so on. */
  outputPipes: number
  /** Data for `pipe:0`. The run is cancelled when this iterable throws. */
  input?: AsyncIterable<Buffer> | undefined
  /** Existing folder for relative names and outputs, the only one that ffmpeg may write. */
  workFolder?: string | undefined
  /** Existing folder with more than the file after `-i`, which ffmpeg may read. */
  inputFolder?: string | undefined
  /** Existing files outside of the work folder that ffmpeg may write. */
  outputFiles?: readonly string[]
  signal?: AbortSignal | undefined
  limits?: RunLimits | undefined
  onProgress?: ((progress: RunProgress) => void) | undefined
  /** Interval of `onProgress`. */
  progressSeconds?: number | undefined
  /** Receives each line that ffmpeg logs at level `info`, such as the list of streams. */
  onInfoLine?: ((line: string) => void) | undefined
  /** Program of a test that takes the place of ffmpeg. It runs outside of the sandbox. */
  ffmpegPath?: string | undefined
}

export type FfmpegRun = {
  processId: number | undefined
  /**
   * One per output, in the order of the arguments. Read all of them concurrently: ffmpeg waits for the
   * slowest. Their data is complete only after `done` resolves; when it rejects, the pipes are destroyed with
   * the same error.
   */
  pipes: Readable[]
  /** As in `RunResult`, so far. */
  hasLoggedErrors: () => boolean
  /** Settles after the process has exited. Rejects with a MediaError. */
  done: Promise<RunResult>
}

const defaultStallSeconds = 60

/** Enough to decode 8K, and to encode 1080p. */
const defaultMemoryBytes = 2 * 1024 ** 3

/** Options of every run: log levels for the stderr tail, progress on stdout, CPU seconds at the end. */
const commonArguments = [
  '-nostdin',
  '-hide_banner',
  '-loglevel',
  'level+info',
  '-nostats',
  '-benchmark',
  ...allocationArguments,
  '-progress',
  'pipe:1',
]
const defaultProgressSeconds = 0.5

/**
 * Calls `onMove` only when ffmpeg has written or decoded something since the last report: it also reports
 * while idle.
 */
const watchProgress = (stdout: Readable, onMove: (progress: RunProgress) => void): void => {
  let block: Record<string, string> = {}
  let lastState = ''
  createInterface({ input: stdout }).on('line', (line) => {
    const equals = line.indexOf('=')
    block[line.slice(0, equals)] = line.slice(equals + 1).trim()
    if (!line.startsWith('progress=')) return
    const { out_time_us: microseconds, frame, total_size: size, speed } = block
    block = {}
    const state = `${microseconds} ${frame} ${size}`
    if (state === lastState) return
    lastState = state
    const outTimeSeconds = Math.max(0, Number(microseconds) / 1e6) || 0
    onMove({ outTimeSeconds, speed: Number.parseFloat(speed ?? '') || null })
  })
}

const readCpuSeconds = (line: string): number | null => {
  const match = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(line)
  return match ? Number(match[1]) + Number(match[2]) : null
}

/** Runs ffmpeg with arguments from the `…Arguments` functions of this package. */
export const runFfmpeg = (args: readonly string[], options: RunOptions): FfmpegRun => {
  let cpuSeconds: number | null = null
  const { progressSeconds = defaultProgressSeconds } = options
  const limits = { memoryBytes: defaultMemoryBytes, ...options.limits }
  const child = startGuarded(
    options.ffmpegPath ?? 'ffmpeg',
    [...commonArguments, '-stats_period', String(progressSeconds), ...args],
    {
      workFolder: options.workFolder,
      confinement: options.ffmpegPath === undefined ? confinementOf(args, options) : null,
      pipeCount: options.outputPipes,
      hasInput: options.input !== undefined,
      signal: options.signal,
      limits,
      onInfoLine: (line) => {
        cpuSeconds = readCpuSeconds(line) ?? cpuSeconds
        options.onInfoLine?.(line)
      },
    },
  )

  const stallSeconds = limits.stallSeconds ?? defaultStallSeconds
  // While ffmpeg fills a long gap with frames it reports no progress, but it writes.
  let seenBytes = 0
  const stallTimer = setTimeout(() => {
    const bytes = child.pipes.reduce((sum, pipe) => sum + pipe.bytesRead, 0)
    if (bytes > seenBytes) {
      seenBytes = bytes
      stallTimer.refresh()
      return
    }
    child.stop(new MediaError('stalled', mediaMessage('processing_stalled', { seconds: stallSeconds })))
  }, stallSeconds * 1000)
  watchProgress(child.stdout, (progress) => {
    stallTimer.refresh()
    const { mediaSeconds } = limits
    if (mediaSeconds !== undefined && progress.outTimeSeconds > mediaSeconds)
      child.stop(tooLong(mediaSeconds))
    options.onProgress?.(progress)
  })

  if (options.input !== undefined && child.stdin !== null)
    pipeline(options.input, child.stdin).catch((error: NodeJS.ErrnoException) => {
      // ffmpeg has read enough or has exited; its exit code decides.
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        child.stop(new MediaError('aborted', mediaMessage('input_broke_off'), String(error)))
    })

  // Without a listener, a pipe destroyed with an error would crash the server process.
  for (const pipe of child.pipes) pipe.on('error', () => {})

  const finish = async (): Promise<RunResult> => {
    const exit = await child.exited
    clearTimeout(stallTimer)
    const error = errorOfExit('ffmpeg', exit, limits)
    if (error === null)
      return { cpuSeconds, stderrTail: exit.stderrTail, hasLoggedErrors: exit.hasLoggedErrors }
    for (const pipe of child.pipes) pipe.destroy(error)
    throw error
  }
  const done = finish()
  // A caller that sees the error on a pipe first may never await `done`.
  done.catch(() => {})
  return { processId: child.processId, pipes: child.pipes, hasLoggedErrors: child.hasLoggedErrors, done }
}
