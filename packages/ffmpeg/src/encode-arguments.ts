import { chunkInputOptions } from './chunk-arguments.ts'
import { downmixFilters } from './downmix-filters.ts'
import type { FrameRate } from './frame-rate.ts'
import { framesPerGroup } from './group-of-pictures.ts'
import type { EncodeChunk } from './plan-chunks.ts'
import { isEncoded, type EncodedAudio, type MediaPlan, type VideoRung } from './plan-renditions.ts'
import type { Probe } from './probe.ts'
import { inputArguments, threadsOfEach, withoutExtrasArguments } from './safe-arguments.ts'
import { cutsOfRung, keyFrameArguments } from './segment-cuts.ts'
import { steadyFilterArguments } from './steady-filters.ts'
import { originArguments } from './timeline-origin.ts'
import { videoEncoderArguments } from './video-encoders.ts'
import { videoGraph } from './video-graph.ts'
import { watermarkInput } from './watermark.ts'

export type EncodeOptions = {
  inputPath: string
  probe: Probe
  plan: MediaPlan
  /** Descending; each becomes one pipe. */
  rungs: readonly VideoRung[]
  /** Whether the audio tracks that the plan encodes become the last pipes. Those that are copied never do: they are served from the source. */
  includeAudio: boolean
  firstPipe: number
  /** Only these pictures, which then begin at 0; without audio. */
  chunk?: EncodeChunk | undefined
  /** How many encodes share this machine, this one among them; without it, all cores are its own. */
  encodersHere?: number | undefined
}

const audioFragmentMicroseconds = 2_000_000

/** Fragments only, moov first; no edit lists (players disagree about them), no index at the end. */
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
  const groupFrames = framesPerGroup(frameRate)
  return [
    ['-map', label, ...videoEncoderArguments(rung, groupFrames, threads), ...keyFrames],
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

/** In floating point, which has room for what is mixed down only afterwards. */
const gainFilters = ({ gainDecibels = 0 }: EncodedAudio): string[] =>
  gainDecibels === 0 ? [] : [`volume=${gainDecibels}dB:precision=float`]

/** Gaps are filled with silence and the first sample lies at 0, as the first picture does. */
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
 * Where broadcasts change from stereo to surround sound, ffmpeg makes the filters anew, and they fill with silence once more from 0 on. What is
 * encoded for a time that lies behind is dropped. In the bitstream filter's words: `ld(0)` is the time of the packet before.
 */
const withoutRepeatedTime = 'noise=drop=if(gte(n\\,1)*lte(pts\\,ld(0))\\,1\\,0*st(0\\,pts))'

/**
 * One run for all rungs: the source is decoded once. Each output is a fragmented MP4 of one track whose first frame, or first content sample after
 * 1024 of priming, lies at 0; in the order of the rungs, then audio. To be run with as many `outputPipes`.
 */
export const encodeArguments = (options: EncodeOptions): string[] => {
  const { probe, plan, rungs, firstPipe, chunk = null, encodersHere = 1 } = options
  const threadCount = threadsOfEach(encodersHere)
  const threads = ['-threads', threadCount]
  const outputs: string[] = []
  if (rungs.length > 0) {
    const { frameRate } = plan
    if (!probe.video || !frameRate) throw new Error('Rungs were planned for a file without video.')
    outputs.push(
      // By itself each filter takes all cores.
      ...(encodersHere > 1 ? ['-filter_complex_threads', threadCount] : []),
      '-filter_complex',
      videoGraph(probe.video, { frameRate, rungs, watermark: plan.watermark, chunk }),
    )
    rungs.forEach((rung, number) => {
      const keyFrames = keyFrameArguments(cutsOfRung(plan, rung), { codec: rung.codec, chunk, frameRate })
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
  ]
}
