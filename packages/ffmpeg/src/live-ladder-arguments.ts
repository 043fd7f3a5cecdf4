import type { VideoRung } from './plan-renditions.ts'
import { pipedInputArguments, withoutExtrasArguments } from './safe-arguments.ts'
import { videoEncoderArguments } from './video-encoders.ts'

/** Key frames come where the source has them, and nowhere else. */
const endlessGroupFrames = 1_000_000

/** Stamps stay what they are, and no frame waits for another one in any of the codecs. */
const inputOptions = ['-copyts', '-thread_type', 'slice']
/** What that asks of dav1d, and what would put the frames of H.264 out of order. */
const av1InputOptions = ['-copyts', '-flags', 'low_delay']
const encoderOptions = [
  ...['-bf', '0', '-tune', 'zerolatency', '-forced-idr', '1', '-force_key_frames', 'source'],
  ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'],
]
/** Each picture is a fragment that says its own time. */
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
 * Lower rungs of a live stream whose pictures come through standard input as Matroska. Each output is a fragmented MP4 of one track with the
 * stamps of the input; to be run with as many `outputPipes`. Colours and the shape of pixels stay those of the source.
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
