import { chunkInputOptions } from './chunk-arguments.ts'
import { downmixFilters } from '../filters/downmix-filters.ts'
import type { FrameRate } from '../probe/frame-rate.ts'
import type { EncodeChunk } from '../plan/plan-chunks.ts'
import { isEncoded, type EncodedAudio, type MediaPlan, type VideoRung } from '../plan/plan-renditions.ts'
import type { Probe } from '../probe/probe.ts'
import { inputArguments, threadsOfEach, withoutExtrasArguments } from '../run/safe-arguments.ts'
import { forcedKeyFrames, keyFrameArguments, keyFrameInterval } from '../plan/segment-cuts.ts'
import { steadyFilterArguments } from '../filters/steady-filters.ts'
import { originArguments, timelineOutput } from '../probe/timeline-origin.ts'
import { videoEncoderArguments } from './video-encoders.ts'
import { videoGraph } from './video-graph.ts'
import { watermarkInput } from '../filters/watermark.ts'

export type EncodeOptions = {
  inputPath: string
  probe: Probe
  plan: MediaPlan
  /** Descending; each rung is written to its own pipe. */
  rungs: readonly VideoRung[]
  /**
   * Whether the encoded audio tracks are written to the last pipes. Copied tracks are excluded, because they
   * are served from the source.
   */
  includeAudio: boolean
  firstPipe: number
  /** Encodes only the frames of this chunk, renumbered from 0, without audio. */
  chunk?: EncodeChunk | undefined
  /**
   * Number of encodes that share this machine, including this one. When absent, this encode uses all cores.
   */
  encodersHere?: number | undefined
  /** Threads of each decoder and encoder, for output that is the same on every machine; absent = by its cores. */
  threadCount?: number | undefined
}

/** The first segment is one fragment. */
const audioFragmentMicroseconds = 1_000_000

/**
 * Fragments only, with moov first. Edit lists are omitted because players disagree about them; there is no
 * index at the end.
 */
const fragmentFlags = '+empty_moov+default_base_moof+skip_trailer'

const videoOutput = (
  rung: VideoRung,
  {
    label,
    frameRate,
    pipe,
    threads,
    keyFrames,
  }: {
    readonly label: string
    readonly frameRate: FrameRate
    readonly pipe: number
    readonly threads: readonly string[]
    readonly keyFrames: readonly string[]
  },
): string[] => {
  const groupFrames = keyFrameInterval(rung, frameRate)
  return [
    ['-map', label, ...videoEncoderArguments(rung, groupFrames, { frameRate, threads }), ...keyFrames],
    withoutExtrasArguments,
    ['-movflags', `${fragmentFlags}+frag_keyframe`, '-use_editlist', '0', '-f', 'mp4', `pipe:${pipe}`],
  ].flat()
}

const audioOutput = (audio: EncodedAudio, pipe: number): string[] =>
  [
    ['-map', `0:${audio.streamIndex}`, ...aacArguments(audio), ...withoutExtrasArguments],
    ['-frag_duration', String(audioFragmentMicroseconds)],
    ['-movflags', fragmentFlags, '-use_editlist', '0', '-f', 'mp4', `pipe:${pipe}`],
  ].flat()

/** Floating point has headroom for the downmix that follows. */
const gainFilters = ({ gainDecibels = 0 }: EncodedAudio): string[] =>
  gainDecibels === 0 ? [] : [`volume=${gainDecibels}dB:precision=float`]

/** Silence fills gaps, and the first sample is at 0, like the first frame. */
const aacArguments = (audio: EncodedAudio): string[] =>
  [
    [
      '-af',
      [...downmixFilters(audio), 'aresample=async=1:first_pts=0', ...gainFilters(audio)].join(','),
      '-c:a',
      'aac',
      '-b:a',
      String(audio.bitsPerSecond),
    ],
    ['-ac', String(audio.channels), '-ar', '48000', '-bsf:a', withoutRepeatedTime],
  ].flat()

/**
 * When a broadcast changes from stereo to surround, ffmpeg rebuilds the filters, which fill with silence from
 * 0 again. The bitstream filter drops packets that repeat a past time; `ld(0)` is the time of the previous
 * packet.
 */
const withoutRepeatedTime = 'noise=drop=if(gte(n\\,1)*lte(pts\\,ld(0))\\,1\\,0*st(0\\,pts))'

/**
 * Returns arguments that encode all rungs in one run, so the source is decoded once. Each output is a
 * fragmented MP4 with one track, in the order of the rungs, then audio. The first frame, or the first sample
 * after 1024 of priming, is at 0. Set `outputPipes` to the number of outputs.
 */
export const encodeArguments = (options: EncodeOptions): string[] => {
  const { probe, plan, rungs, firstPipe, chunk = null, encodersHere = 1 } = options
  const threadCount = String(options.threadCount ?? threadsOfEach(encodersHere))
  const threads = ['-threads', threadCount]
  const outputs: string[] = []
  if (rungs.length > 0) {
    const { frameRate } = plan
    if (!probe.video || !frameRate) throw new Error('Rungs were planned for a file without video.')
    outputs.push(
      // By default each filter graph uses all cores.
      ...(encodersHere > 1 ? ['-filter_complex_threads', threadCount] : []),
      '-filter_complex',
      videoGraph(probe.video, { frameRate, rungs, watermark: plan.watermark, chunk }),
    )
    rungs.forEach((rung, number) => {
      const keyFrames = keyFrameArguments(forcedKeyFrames(plan, rung), {
        codec: rung.codec,
        chunk,
        frameRate,
      })
      const pipe = firstPipe + number
      outputs.push(...videoOutput(rung, { label: `[v${number}]`, frameRate, pipe, threads, keyFrames }))
    })
  }
  if (options.includeAudio) {
    plan.audio.filter(isEncoded).forEach((audio, number) => {
      outputs.push(...audioOutput(audio, firstPipe + rungs.length + number))
    })
  }
  if (outputs.length === 0) throw new Error('There is nothing to encode.')
  const entry = plan.frameRate === null ? [] : chunkInputOptions(chunk, plan.frameRate)
  const steady = probe.video === null || rungs.length === 0 ? [] : steadyFilterArguments(probe.video)
  const mark = plan.watermark === null || rungs.length === 0 ? [] : watermarkInput
  return [
    '-nostdin',
    ...inputArguments(
      options.inputPath,
      [...originArguments(plan.originSeconds), ...steady, ...entry],
      threads,
    ),
    ...mark,
    ...outputs,
    ...timelineOutput(probe),
  ]
}
