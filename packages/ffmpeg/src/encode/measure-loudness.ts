import { downmixFilters } from '../filters/downmix-filters.ts'
import { inputArguments } from '../run/safe-arguments.ts'
import type { EncodedAudio } from '../plan/plan-renditions.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'

/** Common target of streaming services; the −23 of EBU R 128 is for television. */
const targetLufs = -16
/** Ceiling of the sample peak. Peaks between samples may be a decibel higher, and lossy codecs overshoot. */
const ceilingDecibels = -2
/** A higher gain would mainly amplify noise. */
const maxGainDecibels = 20
/** CPU seconds allowed before the first sample is decoded. */
const startSeconds = 30
/** Loudness that the meter reports for silence (EBU Tech 3341: nothing passes the gate). */
const silenceLufs = -69

export type Loudness = { integratedLufs: number; peakDecibels: number }

/**
 * Returns arguments that measure the whole track with the downmix of the encode. `dualmono` measures mono as
 * two speakers play it.
 */
export const loudnessArguments = (inputPath: string, audio: EncodedAudio): string[] => [
  '-nostdin',
  ...inputArguments(inputPath),
  ...['-map', `0:${audio.streamIndex}`, '-vn', '-sn', '-dn'],
  '-af',
  [
    ...downmixFilters(audio),
    `aformat=sample_rates=48000:channel_layouts=${audio.channels === 1 ? 'mono' : 'stereo'}`,
    'ebur128=framelog=verbose:peak=sample:dualmono=true',
  ].join(','),
  ...['-f', 'null', '-'],
]

/** Parses the summary that `ebur128` writes at its end; null for silence. Pure. */
export const parseLoudness = (text: string): Loudness | null => {
  const integratedLufs = Number(/^\s*I:\s*(-?[\d.]+) LUFS/m.exec(text)?.[1] ?? Number.NaN)
  const peakDecibels = Number(/^\s*Peak:\s*(-?[\d.]+) dBFS/m.exec(text)?.[1] ?? Number.NaN)
  if (!(integratedLufs > silenceLufs) || Number.isNaN(peakDecibels)) return null
  return { integratedLufs, peakDecibels }
}

/**
 * Returns one gain for the whole track, in decibels, without compression. The track stays below the target
 * when its peaks would clip. Pure.
 */
export const gainOf = ({ integratedLufs, peakDecibels }: Loudness): number => {
  const wanted = Math.min(targetLufs - integratedLufs, ceilingDecibels - peakDecibels, maxGainDecibels)
  return Math.round(wanted * 100) / 100
}

/** Measures one audio track; null for silence. Rejects with a MediaError. */
export const measureLoudness = async (
  inputPath: string,
  audio: EncodedAudio,
  options: { workFolder: string; signal: AbortSignal; niceness: number; maxSeconds: number },
): Promise<Loudness | null> => {
  const { workFolder, signal, niceness, maxSeconds } = options
  const run = runFfmpeg(loudnessArguments(inputPath, audio), {
    outputPipes: 0,
    workFolder,
    signal,
    // Measuring must not take longer than playback.
    limits: { niceness, mediaSeconds: maxSeconds, cpuSeconds: startSeconds + maxSeconds },
  })
  return parseLoudness((await run.done).stderrTail)
}
