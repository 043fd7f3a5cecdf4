import { threadArguments } from './safe-arguments.ts'
import type { VideoRung } from './plan-renditions.ts'

type EncoderArguments = (rung: VideoRung, groupFrames: string, threads: readonly string[]) => string[]

const x264Arguments: EncoderArguments = ({ preset, crf, maxBitsPerSecond }, groupFrames, threads) => [
  ...['-c:v', 'libx264', ...threads, '-preset', preset, '-profile:v', 'high'],
  ...['-g', groupFrames, '-keyint_min', groupFrames, '-sc_threshold', '0', '-flags', '+cgop'],
  ...['-crf', String(crf), '-maxrate', String(maxBitsPerSecond), '-bufsize', String(2 * maxBitsPerSecond)],
]

/** `hvc1`: Apple's players take no other entry. What x265 says of itself would be in every key frame. */
const x265Arguments: EncoderArguments = ({ preset, crf, maxBitsPerSecond }, groupFrames, threads) => [
  ...['-c:v', 'libx265', ...threads, '-preset', preset, '-tag:v', 'hvc1'],
  '-x265-params',
  `keyint=${groupFrames}:min-keyint=${groupFrames}:scenecut=0:open-gop=0:info=0:log-level=error`,
  ...['-crf', String(crf), '-maxrate', String(maxBitsPerSecond), '-bufsize', String(2 * maxBitsPerSecond)],
]

/** Its key frames come by the clock, each of them closed, as long as nobody asks for others. The ceiling is in kbit/s. */
const svtAv1Arguments: EncoderArguments = ({ preset, crf, maxBitsPerSecond }, groupFrames) => [
  ...['-c:v', 'libsvtav1', '-preset', preset, '-g', groupFrames, '-crf', String(crf)],
  ...['-svtav1-params', `mbr=${Math.ceil(maxBitsPerSecond / 1000)}`],
]

const encoders = { h264: x264Arguments, hevc: x265Arguments, av1: svtAv1Arguments } as const

/** Encoder options of a rung: constant quality under its ceiling, and a key frame every `groupFrames` and nowhere else. */
export const videoEncoderArguments = (
  rung: VideoRung,
  groupFrames: number,
  threads = threadArguments,
): string[] => [...encoders[rung.codec](rung, String(groupFrames), threads), ...['-pix_fmt', 'yuv420p']]
