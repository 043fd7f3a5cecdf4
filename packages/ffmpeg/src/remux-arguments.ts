import type { Probe } from './probe.ts'
import { gridOriginSeconds, originArguments } from './timeline-origin.ts'
import {
  fileArgument,
  inputArguments,
  pipedInputArguments,
  withoutExtrasArguments,
} from './safe-arguments.ts'

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
export const remuxArguments = ({ inputPath, ...options }: RemuxOptions): string[] => [
  '-nostdin',
  '-y',
  ...inputArguments(inputPath, originArguments(gridOriginSeconds(options.probe))),
  ...copyTo(options),
]

/** Containers that tell what they hold before it comes, and can be read without going back. */
const pipedFormats = ['matroska', 'mpegts'] as const

/** The demuxer for a source that comes through a pipe; null where it has to be there as a file. */
export const pipedFormatOf = ({ formatNames }: Probe): string | null =>
  pipedFormats.find((name) => formatNames.includes(name)) ?? null

/**
 * The same from `pipe:0`, into an MP4 of fragments: what has been written of it can be read, and does not change any more. `delay_moov`: the
 * index is written with the first fragment, when it is known when each track begins. Whole fragments are written at once, not when a buffer is full.
 */
export const pipedRemuxArguments = ({
  format,
  ...options
}: Omit<RemuxOptions, 'inputPath'> & { readonly format: string }): string[] => [
  '-y',
  ...pipedInputArguments(format, originArguments(gridOriginSeconds(options.probe))),
  ...copyTo(options, [
    '-movflags',
    '+frag_keyframe+delay_moov+default_base_moof+skip_trailer',
    ...['-flush_packets', '1'],
  ]),
]

const copyTo = (
  { outputPath, probe, copiedAudio }: Omit<RemuxOptions, 'inputPath'>,
  options: readonly string[] = [],
): string[] => [
  ...(probe.video ? ['-map', `0:${probe.video.index}`, '-c:v', 'copy'] : []),
  ...copyAudio(probe, copiedAudio),
  ...withoutExtrasArguments,
  ...options,
  '-f',
  'mp4',
  fileArgument(outputPath),
]
