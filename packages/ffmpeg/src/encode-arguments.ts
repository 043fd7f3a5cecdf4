import { framesPerSecond, type FrameRate } from './frame-rate.ts'
import type { AudioPlan, MediaPlan, VideoRung } from './plan-renditions.ts'
import type { Probe, VideoStream } from './probe.ts'
import { inputArguments, threadArguments, withoutExtrasArguments } from './safe-arguments.ts'
import { deinterlaceFilters, scaleFilters, toneMapFilters } from './video-filters.ts'

export type EncodeOptions = {
  inputPath: string
  probe: Probe
  plan: MediaPlan
  /** Descending; each becomes one pipe. */
  rungs: readonly VideoRung[]
  /** Whether the audio that the plan encodes becomes the last pipe. Audio that is copied never does: it is served from the source. */
  includeAudio: boolean
  firstPipe: number
}

/** A group of pictures: every rung has a key frame at the same instants, so players switch at each of them. */
const groupSeconds = 2
const audioFragmentMicroseconds = 2_000_000

/** Fragments only, moov first; no edit lists (players disagree about them), no index at the end. */
const fragmentFlags = '+empty_moov+default_base_moof+skip_trailer'

const videoGraph = (video: VideoStream, frameRate: FrameRate, rungs: readonly VideoRung[]): string => {
  const [highest] = rungs
  const rate = `fps=${frameRate.numerator}/${frameRate.denominator}:start_time=0`
  const common = [...deinterlaceFilters(video), rate]
  // Tone mapping costs more than all scaling: done once, at the size of the highest rung.
  if (video.isHdr && highest) common.push(...scaleFilters(highest), ...toneMapFilters(video))
  const labels = rungs.map((_, number) => `[s${number}]`).join('')
  const branches = rungs.map(
    (rung, number) => `[s${number}]${scaleFilters(rung).join(',')},format=yuv420p[v${number}]`,
  )
  return [`[0:${video.index}]${common.join(',')},split=${rungs.length}${labels}`, ...branches].join(';')
}

const videoOutput = (rung: VideoRung, label: string, frameRate: FrameRate, pipe: number): string[] => {
  const groupFrames = String(Math.max(1, Math.round(groupSeconds * framesPerSecond(frameRate))))
  return [
    ['-map', label, '-c:v', 'libx264', ...threadArguments],
    ['-preset', rung.preset, '-profile:v', rung.profile, '-pix_fmt', 'yuv420p'],
    ['-g', groupFrames, '-keyint_min', groupFrames, '-sc_threshold', '0', '-flags', '+cgop'],
    ['-crf', String(rung.crf), '-maxrate', String(rung.maxBitsPerSecond)],
    ['-bufsize', String(2 * rung.maxBitsPerSecond)],
    withoutExtrasArguments,
    ['-movflags', `${fragmentFlags}+frag_keyframe`, '-use_editlist', '0', '-f', 'mp4', `pipe:${pipe}`],
  ].flat()
}

const audioOutput = (audio: AudioPlan & { action: 'encode' }, pipe: number): string[] =>
  [
    ['-map', `0:${audio.streamIndex}`, ...aacArguments(audio), ...withoutExtrasArguments],
    ['-frag_duration', String(audioFragmentMicroseconds)],
    ['-movflags', fragmentFlags, '-use_editlist', '0', '-f', 'mp4', `pipe:${pipe}`],
  ].flat()

/** Gaps are filled with silence and the first sample lies at 0, as the first picture does. */
export const aacArguments = (audio: AudioPlan & { action: 'encode' }): string[] =>
  [
    ['-af', 'aresample=async=1:first_pts=0', '-c:a', 'aac', '-b:a', String(audio.bitsPerSecond)],
    ['-ac', String(audio.channels), '-ar', '48000'],
  ].flat()

/**
 * One run for all rungs: the source is decoded once. Each output is a fragmented MP4 of one track whose first frame, or first content sample after
 * 1024 of priming, lies at 0; in the order of the rungs, then audio. To be run with as many `outputPipes`.
 */
export const encodeArguments = (options: EncodeOptions): string[] => {
  const { probe, plan, rungs, firstPipe } = options
  const outputs: string[] = []
  if (rungs.length > 0) {
    const { frameRate } = plan
    if (!probe.video || !frameRate) throw new Error('Rungs were planned for a file without video.')
    outputs.push('-filter_complex', videoGraph(probe.video, frameRate, rungs))
    rungs.forEach((rung, number) => {
      outputs.push(...videoOutput(rung, `[v${number}]`, frameRate, firstPipe + number))
    })
  }
  if (options.includeAudio && plan.audio.action === 'encode') {
    outputs.push(...audioOutput(plan.audio, firstPipe + rungs.length))
  }
  if (outputs.length === 0) throw new Error('There is nothing to encode.')
  return ['-nostdin', ...inputArguments(options.inputPath), ...outputs]
}
