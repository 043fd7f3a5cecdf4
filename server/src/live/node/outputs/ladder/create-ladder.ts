import { rungsBelow, type RungOverride, type VideoRung } from '@zoetrope/ffmpeg'
import { IsobmffError, readPictureSize } from '@zoetrope/isobmff'
import type { LadderPeriod, LadderTrack, LivePackager } from '@zoetrope/ll-hls'
import type { MediaMessage, VideoConfiguration, VideoFrame } from '@zoetrope/rtmp'
import type { LiveWarnings } from '../../health/live-warnings.ts'
import type { BroadcastOutput } from '../../channel/broadcast-output.ts'
import { usualLag } from './frame-lag.ts'
import { startLadderRun, type LadderRun } from './ladder-run.ts'
import type { LadderSlots } from './ladder-slots.ts'
import type { FeedTrack } from './matroska-feed.ts'
import { createRungOutputs, type RungOutputs } from './rung-outputs.ts'

export interface LadderOptions {
  readonly packager: LivePackager
  /** Rungs from the settings of the stream; empty uses the default ladder. */
  readonly rungs: readonly RungOverride[]
  readonly slots: LadderSlots
  readonly warnings: Pick<LiveWarnings, 'raise' | 'clear' | 'report'>
  /** Must exist. */
  readonly ffmpegPath?: string | undefined
  /** Returns milliseconds of any clock. */
  readonly now: () => number
  readonly drainMs?: number
}

export interface Ladder extends BroadcastOutput {
  /** Rungs that are made of the current source. */
  readonly tracks: () => readonly LadderTrack[]
}

/** Fast enough for live input. Slower presets save bits, but a live stream has no time for them. */
const preset = 'superfast'
const restartSeconds = [1, 2, 4, 8, 16, 30] as const
/** An ffmpeg that ran this long was stable, so the next pause is the shortest again. */
const steadyMs = 60_000

/** An encoder outputs its buffered frames within a fraction of a second. */
const usualDrainMs = 3_000

const messages = {
  full: 'This server is encoding as many streams as it can. This one plays without lower renditions.',
  slow: 'This server is too slow for the lower renditions and drops some of their frames.',
  failed: 'The encoder of the lower renditions failed and restarts.',
}

interface Run {
  readonly encoder: LadderRun
  readonly outputs: RungOutputs
  readonly tracks: readonly LadderTrack[]
  readonly startedAtMs: number
}

/**
 * Lower rungs of a broadcast, encoded by one ffmpeg at a time. A run lasts from a key frame until the source
 * breaks or ffmpeg ends.
 */
export const createLadder = (options: LadderOptions): Ladder => {
  const { packager, slots, warnings, now } = options
  const { ladder } = packager
  let configuration: VideoConfiguration | null = null
  let source: FeedTrack | null = null
  let rungs: readonly VideoRung[] = []
  let run: Run | null = null
  const alive = new Set<Run>()
  /** Resolves when all runs but the newest have ended. */
  let elders: Promise<void> = Promise.resolve()
  let period: LadderPeriod | null = null
  let newest: LadderPeriod | undefined
  /** The key frame that the packager has just received, or receives next. */
  let key: VideoFrame | null = null
  let failures = 0
  let restartAtMs = -Infinity
  let hasSlot = false
  let hasStopped = false

  const tracksOf = (list: readonly VideoRung[]) =>
    list.map(({ name }) => `v${name.replace('p', '')}` as LadderTrack)

  const fail = (startedAtMs: number): void => {
    failures = now() - startedAtMs > steadyMs ? 1 : failures + 1
    restartAtMs = now() + 1_000 * restartSeconds[Math.min(failures, restartSeconds.length) - 1]!
    warnings.raise('ladder_failed', messages.failed)
  }

  const canStart = (): boolean => {
    if (hasStopped || source === null || rungs.length === 0 || now() < restartAtMs) return false
    hasSlot ||= slots.take()
    if (hasSlot) warnings.clear('ladder_full')
    else warnings.raise('ladder_full', messages.full)
    return hasSlot
  }

  const startEncoder = (first: VideoFrame, outputs: RungOutputs): LadderRun | null => {
    try {
      return startLadderRun(first, {
        ...options,
        source: source!,
        rungs,
        lag: usualLag,
        drainMs: options.drainMs ?? usualDrainMs,
        nowMs: now,
        onFormat: (rung, format) => {
          warnings.clear('ladder_failed')
          outputs.addFormat(rung, format)
        },
        onFrame: outputs.addFrame,
        onSlow: () => warnings.report('ladder_slow', messages.slow),
      })
    } catch {
      // The system has no process or file descriptor left, and Node returns a child without pipes.
      return null
    }
  }

  const start = (first: VideoFrame): void => {
    if (!canStart()) return
    const tracks = tracksOf(rungs)
    const outputs = createRungOutputs(packager, tracks)
    const startedAtMs = now()
    const encoder = startEncoder(first, outputs)
    if (encoder === null) return fail(startedAtMs)
    const own: Run = { encoder, outputs, tracks, startedAtMs }
    run = own
    alive.add(own)
    void elders.then(outputs.open)
    // A run that ends before its predecessors still has output to deliver.
    const ended = Promise.all([encoder.done, elders]).then(([error]) => {
      outputs.close()
      if (run === own) {
        run = null
        if (error !== null) fail(startedAtMs)
      }
      alive.delete(own)
      const isEncoded = (track: LadderTrack) => [...alive].some((other) => other.tracks.includes(track))
      for (const track of tracks) if (!isEncoded(track)) ladder.rest(track)
    })
    elders = Promise.all([elders, ended]).then(() => {})
    if (period !== null) outputs.assign(period)
    encoder.add(first)
  }

  const finish = (): void => {
    run?.encoder.finish()
    run = null
  }

  const configure = (message: VideoConfiguration): void => {
    if (configuration?.codec === message.codec && configuration.data.equals(message.data)) return
    configuration = message
    finish()
    period = null
    source = readSource(message)
    rungs = source === null ? [] : rungsBelow(shapeOf(source), options.rungs, preset)
  }

  const unsubscribe = ladder.onChange(() => {
    if (ladder.period === newest || ladder.period === undefined) return
    newest = ladder.period
    period = newest
    if (run !== null && run.outputs.period() === undefined) return run.outputs.assign(period)
    // A break that only the packager sees: another audio format, or a clock jump. The new run begins with the
    // current frame.
    finish()
    if (key !== null) start(key)
  })

  const receive = (message: MediaMessage): void => {
    if (message.type === 'video-configuration') return configure(message)
    if (message.type !== 'video-frame') return
    key = message.isKeyFrame ? message : null
    if (run !== null) run.encoder.add(message)
    else if (key !== null) start(key)
  }

  return {
    tracks: () => tracksOf(rungs),
    onMessage: receive,
    onGone: () => {
      finish()
      configuration = null
      source = null
      period = null
      key = null
    },
    stop: async (why) => {
      hasStopped = true
      unsubscribe()
      if (why === 'shutdown') run?.encoder.kill()
      finish()
      await elders
      if (hasSlot) slots.free()
      hasSlot = false
    },
  }
}

const shapeOf = ({ widthPixels, heightPixels }: FeedTrack) => ({
  displayWidthPixels: widthPixels,
  displayHeightPixels: heightPixels,
})

/** Returns null for video that the broadcast refuses. */
const readSource = ({ codec, data }: VideoConfiguration): FeedTrack | null => {
  if (codec === 'vp09') return null
  try {
    return { codec, configuration: data, ...readPictureSize(codec, data) }
  } catch (error) {
    if (error instanceof IsobmffError) return null
    throw error
  }
}
