import type { VideoRung } from '../plan/plan-renditions.ts'
import { pipedInputArguments, withoutExtrasArguments } from '../run/safe-arguments.ts'
import { videoEncoderArguments } from './video-encoders.ts'

/** Rungs have key frames only where the source has them. */
const endlessGroupFrames = 1_000_000

/** By default, ffmpeg reads twenty frames before it decodes, to measure a frame rate that the rungs do not use. */
const unmeasured = ['-fpsprobesize', '0']
/** Keeps timestamps and avoids decoder delay; slice threads do not hold back frames. */
const inputOptions = [...unmeasured, '-copyts', '-thread_type', 'slice']
/** dav1d needs `low_delay` instead of slice threads; for H.264 that flag would reorder frames. */
const av1InputOptions = [...unmeasured, '-copyts', '-flags', 'low_delay']
const encoderOptions = [
  ...['-bf', '0', '-tune', 'zerolatency', '-forced-idr', '1', '-force_key_frames', 'source'],
  ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'],
]
/** Each frame is a fragment with its own timestamp. */
const outputOptions = [
  ...['-movflags', '+empty_moov+default_base_moof+skip_trailer+frag_every_frame+frag_discont'],
  ...['-use_editlist', '0', '-avoid_negative_ts', 'disabled', '-video_track_timescale', '90000'],
  ...['-flush_packets', '1', '-f', 'mp4'],
]

const rungOutput = (rung: VideoRung, number: number): string[] => [
  ...['-map', `[v${number}]`, ...videoEncoderArguments(rung, endlessGroupFrames), ...encoderOptions],
  ...[...withoutExtrasArguments, ...outputOptions, `pipe:${firstPipe + number}`],
]

const firstPipe = 3

/**
 * Returns arguments that encode the lower rungs of a live stream from Matroska on standard input. Each output
 * is a fragmented MP4 with one track and the timestamps of the input. Set `outputPipes` to the number of
 * rungs. Colors and the pixel aspect ratio stay those of the source.
 */
export const liveLadderArguments = (
  rungs: readonly VideoRung[],
  { isAv1 }: { readonly isAv1: boolean },
): string[] => {
  const labels = rungs.map((_, number) => `[s${number}]`).join('')
  const branches = rungs.map(
    ({ widthPixels, heightPixels }, number) =>
      `[s${number}]scale=${widthPixels}:${heightPixels},format=yuv420p[v${number}]`,
  )
  const graph = [`[0:V]split=${rungs.length}${labels}`, ...branches].join(';')
  return [
    ...pipedInputArguments('matroska', isAv1 ? av1InputOptions : inputOptions),
    ...['-filter_complex', graph],
    ...rungs.flatMap(rungOutput),
  ]
}
