import type { Probe } from '../probe/probe.ts'
import { gridOriginSeconds, originArguments, timelineOutput } from '../probe/timeline-origin.ts'
import {
  fileArgument,
  inputArguments,
  pipedInputArguments,
  withoutExtrasArguments,
} from '../run/safe-arguments.ts'

export type RemuxOptions = {
  inputPath: string
  outputPath: string
  probe: Probe
  /** Stream indices of the audio tracks to copy, in this order. */
  copiedAudio: readonly number[]
}

/** These formats carry AAC in ADTS frames; MP4 needs raw frames and one configuration record. */
const adtsFormats = ['mpegts', 'aac']

const copyAudio = (probe: Probe, copied: readonly number[]): string[] => {
  if (copied.length === 0) return []
  const isAdts = probe.formatNames.some((name) => adtsFormats.includes(name))
  const maps = copied.flatMap((streamIndex) => ['-map', `0:${streamIndex}`])
  return [...maps, '-c:a', 'copy', ...(isAdts ? ['-bsf:a', 'aac_adtstoasc'] : [])]
}

/**
 * Returns arguments that copy the video and these audio tracks from MKV, TS, FLV and similar containers into
 * a plain MP4 file. Run it without pipes. The output is complete only if the run succeeds.
 */
export const remuxArguments = ({ inputPath, ...options }: RemuxOptions): string[] => [
  '-nostdin',
  '-y',
  ...inputArguments(inputPath, originArguments(gridOriginSeconds(options.probe))),
  ...copyTo(options),
]

/** Containers that describe their tracks first and can be read without seeking. */
const pipedFormats = ['matroska', 'mpegts'] as const

/** Returns the demuxer for a source read through a pipe; null when the format needs a seekable file. */
export const pipedFormatOf = ({ formatNames }: Probe): string | null =>
  pipedFormats.find((name) => formatNames.includes(name)) ?? null

/**
 * Returns arguments that remux from `pipe:0` into a fragmented MP4. Readers can use every written fragment at
 * once, since written bytes never change. `delay_moov` writes the index with the first fragment, when the
 * start of each track is known. Fragments are flushed as soon as they are complete.
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
  ...timelineOutput(probe),
]
