import { downmixFilters } from './downmix-filters.ts'
import { inputArguments } from './safe-arguments.ts'
import type { EncodedAudio } from './plan-renditions.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

/** What streaming services and broadcasters on the web settled on; EBU R 128's −23 is for rooms with a remote control. */
const targetLufs = -16
/** Of samples: what lies between them may be a decibel louder, and lossy codecs overshoot. */
const ceilingDecibels = -2
/** More would only make noise of it. */
const maxGainDecibels = 20
/** Of processor time, before the first sample comes. */
const startSeconds = 30
/** What the meter says of silence (EBU Tech 3341: nothing passes the gate). */
const silenceLufs = -69

export type Loudness = { integratedLufs: number; peakDecibels: number }

/** The whole track, mixed as it is encoded. One speaker plays mono, two play it as loud as both. */
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

/** The summary that `ebur128` writes at its end; null for silence. Pure. */
export const parseLoudness = (text: string): Loudness | null => {
  const integratedLufs = Number(/^\s*I:\s*(-?[\d.]+) LUFS/m.exec(text)?.[1] ?? Number.NaN)
  const peakDecibels = Number(/^\s*Peak:\s*(-?[\d.]+) dBFS/m.exec(text)?.[1] ?? Number.NaN)
  if (!(integratedLufs > silenceLufs) || Number.isNaN(peakDecibels)) return null
  return { integratedLufs, peakDecibels }
}

/**
 * One gain for the whole track: nothing is compressed, no sample is added or moved. Where its peaks would be cut off the track stays
 * softer than the target. Pure.
 */
export const gainOf = ({ integratedLufs, peakDecibels }: Loudness): number => {
  const wanted = Math.min(targetLufs - integratedLufs, ceilingDecibels - peakDecibels, maxGainDecibels)
  return Math.round(wanted * 100) / 100
}

/** Rejects with a MediaError. */
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
    // Nobody has to hear it slower than it plays.
    limits: { niceness, mediaSeconds: maxSeconds, cpuSeconds: startSeconds + maxSeconds },
  })
  return parseLoudness((await run.done).stderrTail)
}
