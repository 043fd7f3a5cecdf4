import { liveLadderArguments, runFfmpeg, type VideoRung } from '@zoetrope/ffmpeg'
import { readFragmentStream } from '@zoetrope/isobmff'
import { formatOfTrack, type TrackFormat } from '@zoetrope/ll-hls'
import type { VideoFrame } from '@zoetrope/rtmp'
import { createFrameFeed } from './frame-feed.ts'
import { FrameLag, type FrameLagLimits } from './frame-lag.ts'
import { feedFrame, feedHead, type FeedTrack } from './matroska-feed.ts'

/** An encoded picture; `shownMs` is on the clock of the publisher. */
export interface EncodedFrame {
  readonly shownMs: number
  readonly isKeyFrame: boolean
  readonly data: Buffer
}

export interface LadderRunOptions {
  readonly source: FeedTrack
  readonly rungs: readonly VideoRung[]
  readonly lag: FrameLagLimits
  /** Longest time for the output of buffered frames after the end of the input. */
  readonly drainMs: number
  readonly ffmpegPath?: string | undefined
  readonly nowMs: () => number
  readonly onFormat: (rung: number, format: TrackFormat) => void
  readonly onFrame: (rung: number, frame: EncodedFrame) => void
  readonly onSlow: () => void
}

export interface LadderRun {
  readonly add: (frame: VideoFrame) => void
  /** Ends the input. Buffered frames are output for at most `drainMs`. */
  readonly finish: () => void
  readonly kill: () => void
  /** Never rejects. Resolves with null after `finish` or `kill`, otherwise with the error. */
  readonly done: Promise<Error | null>
}

/** Largest delay from decoding to display; @zoetrope/ll-hls accepts no more either. */
const longestCompositionMs = 10_000

const shownAt = ({ timestampMs, compositionTimeMs }: VideoFrame): number =>
  timestampMs + Math.min(Math.max(compositionTimeMs, 0), longestCompositionMs)

/** Starts one ffmpeg at a key frame. Frames enter and leave with the timestamps of the publisher. */
export const startLadderRun = (first: VideoFrame, options: LadderRunOptions): LadderRun => {
  const { rungs, nowMs } = options
  const originMs = shownAt(first)
  const feed = createFrameFeed()
  const lag = new FrameLag(options.lag)
  const abort = new AbortController()
  const newestMs = rungs.map(() => -Infinity)
  let isFinished = false
  let drainTimer: NodeJS.Timeout | undefined

  feed.push(feedHead(options.source))
  const run = runFfmpeg(liveLadderArguments(rungs, { isAv1: options.source.codec === 'av01' }), {
    outputPipes: rungs.length,
    input: feed,
    signal: abort.signal,
    ffmpegPath: options.ffmpegPath,
  })

  const read = async (rung: number): Promise<void> => {
    let timescale = 1
    for await (const piece of readFragmentStream(run.pipes[rung]!)) {
      if (piece.type === 'init') {
        timescale = piece.track.timescale
        options.onFormat(rung, formatOfTrack(piece.track))
        continue
      }
      const { samples, data } = piece
      for (let index = 0; index < samples.count; index++) {
        const offset = samples.offsets[index]!
        const shownMs = originMs + (samples.decodeTimes[index]! * 1_000) / timescale
        newestMs[rung] = shownMs
        lag.comeOut(Math.min(...newestMs))
        const isKeyFrame = samples.isSync[index] === 1
        options.onFrame(rung, {
          shownMs,
          isKeyFrame,
          data: data.subarray(offset, offset + samples.sizes[index]!),
        })
      }
    }
  }
  const readAll = async (): Promise<Error | null> => {
    try {
      await Promise.all([...rungs.map((_, rung) => read(rung)), run.done])
      return isFinished ? null : new Error('ffmpeg ended before its input.')
    } catch (error) {
      // When one pipe fails by itself, the others end only with the process.
      abort.abort()
      await run.done.catch(() => {})
      return isFinished ? null : (error as Error)
    } finally {
      feed.end()
      clearTimeout(drainTimer)
    }
  }
  const done = readAll()

  return {
    add: (frame) => {
      const shownMs = shownAt(frame)
      // Pictures shown before the first one refer to frames that the encoder does not have.
      if (isFinished || !Number.isFinite(shownMs) || shownMs < originMs) return
      const judgement = lag.judge(frame, nowMs(), feed.waitingBytes())
      if (judgement === 'stuck') return abort.abort()
      if (judgement === 'drop') options.onSlow()
      if (judgement !== 'take') return
      lag.feed(shownMs, nowMs())
      feed.push(feedFrame(shownMs - originMs, frame.isKeyFrame, frame.data))
    },
    finish: () => {
      if (isFinished) return
      isFinished = true
      feed.end()
      drainTimer = setTimeout(() => abort.abort(), options.drainMs)
    },
    kill: () => {
      isFinished = true
      abort.abort()
    },
    done,
  }
}
