import type { Probe } from './probe.ts'
import { gridOriginSeconds, originArguments } from './timeline-origin.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from './safe-arguments.ts'

export type RemuxOptions = {
  inputPath: string
  outputPath: string
  probe: Probe
  /** Stream indices of the audio tracks to take along, in this order. */
  copiedAudio: readonly number[]
}

/** In these, AAC comes in ADTS frames; MP4 wants the configuration once and raw frames. */
const adtsFormats = ['mpegts', 'aac']

const copyAudio = (probe: Probe, copied: readonly number[]): string[] => {
  if (copied.length === 0) return []
  const isAdts = probe.formatNames.some((name) => adtsFormats.includes(name))
  const maps = copied.flatMap((streamIndex) => ['-map', `0:${streamIndex}`])
  return [...maps, '-c:a', 'copy', ...(isAdts ? ['-bsf:a', 'aac_adtstoasc'] : [])]
}

/**
 * Moves the video and those audio tracks unchanged from MKV, TS, FLV … into a plain MP4 file. To be run without pipes; the
 * output file is only whole when the run succeeded.
 */
export const remuxArguments = ({ inputPath, outputPath, probe, copiedAudio }: RemuxOptions): string[] => [
  '-nostdin',
  '-y',
  ...inputArguments(inputPath, originArguments(gridOriginSeconds(probe))),
  ...(probe.video ? ['-map', `0:${probe.video.index}`, '-c:v', 'copy'] : []),
  ...copyAudio(probe, copiedAudio),
  ...withoutExtrasArguments,
  '-f',
  'mp4',
  fileArgument(outputPath),
]
