import { aacArguments } from './encode-arguments.ts'
import type { AudioPlan } from './plan-renditions.ts'
import type { Probe } from './probe.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from './safe-arguments.ts'

export type RemuxOptions = { inputPath: string; outputPath: string; probe: Probe; audio: AudioPlan }

/** In these, AAC comes in ADTS frames; MP4 wants the configuration once and raw frames. */
const adtsFormats = ['mpegts', 'aac']

const remuxedAudio = (probe: Probe, audio: AudioPlan): string[] => {
  if (audio.action === 'none') return []
  const map = ['-map', `0:${audio.streamIndex}`]
  if (audio.action === 'encode') return [...map, ...aacArguments(audio)]
  const isAdts = probe.formatNames.some((name) => adtsFormats.includes(name))
  return [...map, '-c:a', 'copy', ...(isAdts ? ['-bsf:a', 'aac_adtstoasc'] : [])]
}

/**
 * Moves the video unchanged, with its audio copied or encoded as planned, from MKV, TS, FLV … into a plain MP4 file. To be run without pipes; the
 * output file is only whole when the run succeeded.
 */
export const remuxArguments = ({ inputPath, outputPath, probe, audio }: RemuxOptions): string[] => [
  '-nostdin',
  '-y',
  ...inputArguments(inputPath),
  ...(probe.video ? ['-map', `0:${probe.video.index}`, '-c:v', 'copy'] : []),
  ...remuxedAudio(probe, audio),
  ...withoutExtrasArguments,
  '-f',
  'mp4',
  fileArgument(outputPath),
]
