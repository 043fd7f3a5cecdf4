import type { Probe } from '../probe/probe.ts'
import { acceptArguments } from '../run/accepted-media.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from '../run/safe-arguments.ts'
import { gridOriginSeconds, originArguments, timelineOutput } from '../probe/timeline-origin.ts'

/** Whether `closedCaptionArguments` can read the captions inside this video. */
export const mayCarryClosedCaptions = ({ video }: Probe): boolean => video?.codec === 'h264'

/** Keeps only the NAL units with supplemental enhancement information (H.264 type 6). */
const seiOnly = 'filter_units=pass_types=6'

/**
 * Returns arguments that copy the SEI of H.264, which includes captions, into a fragmented MP4 on `pipe:3`,
 * on the timeline of the renditions. ffmpeg decodes nothing, so the run takes as long as reading the file.
 */
export const closedCaptionArguments = (inputPath: string, probe: Probe): string[] => [
  '-nostdin',
  ...inputArguments(inputPath, originArguments(gridOriginSeconds(probe))),
  ...['-map', `0:${probe.video?.index ?? 0}`, '-c:v', 'copy', '-bsf:v', seiOnly],
  ...withoutExtrasArguments,
  '-movflags',
  '+empty_moov+default_base_moof+skip_trailer',
  ...['-frag_duration', '10000000', '-frag_size', '1000000', '-use_editlist', '0'],
  ...['-flush_packets', '1', '-f', 'mp4', 'pipe:3'],
  ...timelineOutput(probe),
]

/**
 * Returns arguments that convert a Scenarist file written by the worker to WebVTT. The format is fixed,
 * because ffmpeg should not guess it.
 */
export const sccArguments = (inputPath: string, outputPath: string): string[] => [
  ...['-nostdin', '-y', ...acceptArguments({ protocols: ['file'], formats: ['scc'], decoders: ['cc_dec'] })],
  ...['-f', 'scc'],
  ...['-i', fileArgument(inputPath), '-map', '0:s:0', '-c:s', 'webvtt', '-f', 'webvtt'],
  fileArgument(outputPath),
]
