import { framesPerSecond, type FrameRate } from '../probe/frame-rate.ts'
import { threadArguments } from '../run/safe-arguments.ts'
import type { VideoRung } from '../plan/plan-renditions.ts'

/** A larger buffer allows longer peaks. */
const defaultBufferSeconds = 2

export const bufferSecondsOf = ({
  bufferSeconds = defaultBufferSeconds,
}: Pick<VideoRung, 'bufferSeconds'>): number => bufferSeconds

const ceilingArguments = (ceiling: Pick<VideoRung, 'maxBitsPerSecond' | 'bufferSeconds'>): string[] => [
  ...['-maxrate', String(ceiling.maxBitsPerSecond)],
  ...['-bufsize', String(Math.round(bufferSecondsOf(ceiling) * ceiling.maxBitsPerSecond))],
]

/**
 * Reordering decodes the first frame up to two frames before it is displayed. Renditions begin at one second, and no
 * decode time may be negative; players such as hls.js also begin with that gap.
 */
const leastReorderedRate = 5

interface EncoderInput {
  readonly groupFrames: string
  readonly threads: readonly string[]
  readonly isReordered: boolean
}

type EncoderArguments = (rung: VideoRung, input: EncoderInput) => string[]

const x264Arguments: EncoderArguments = (
  { preset, crf, adaptiveQuantization, ...ceiling },
  { groupFrames, threads, isReordered },
) => [
  ...['-c:v', 'libx264', ...threads, '-preset', preset, '-profile:v', 'high'],
  ...['-g', groupFrames, '-keyint_min', groupFrames, '-sc_threshold', '0', '-flags', '+cgop'],
  ...(isReordered ? [] : ['-bf', '0']),
  ...(adaptiveQuantization === 'auto-variance' ? ['-aq-mode', '2'] : []),
  ...['-crf', String(crf), ...ceilingArguments(ceiling)],
]

/** Apple players accept only `hvc1`. `info=0` omits the x265 settings from every key frame. */
const x265Arguments: EncoderArguments = (
  { preset, crf, ...ceiling },
  { groupFrames, threads, isReordered },
) => [
  ...['-c:v', 'libx265', ...threads, '-preset', preset, '-tag:v', 'hvc1'],
  '-x265-params',
  `keyint=${groupFrames}:min-keyint=${groupFrames}:scenecut=0:open-gop=0:info=0:log-level=error${isReordered ? '' : ':bframes=0'}`,
  ...['-crf', String(crf), ...ceilingArguments(ceiling)],
]

/**
 * SVT-AV1 writes closed key frames at its interval as long as no others are forced. The ceiling is in kbit/s.
 */
const svtAv1Arguments: EncoderArguments = ({ preset, crf, maxBitsPerSecond }, { groupFrames }) => [
  ...['-c:v', 'libsvtav1', '-preset', preset, '-g', groupFrames, '-crf', String(crf)],
  ...['-svtav1-params', `mbr=${Math.ceil(maxBitsPerSecond / 1000)}`],
]

const encoders = { h264: x264Arguments, hevc: x265Arguments, av1: svtAv1Arguments } as const

/**
 * Returns the encoder options of a rung: constant quality below its ceiling, with a key frame exactly every
 * `groupFrames`.
 */
export const videoEncoderArguments = (
  rung: VideoRung,
  groupFrames: number,
  {
    frameRate,
    threads = threadArguments,
  }: { readonly frameRate?: FrameRate; readonly threads?: readonly string[] } = {},
): string[] => {
  const isReordered = frameRate === undefined || framesPerSecond(frameRate) >= leastReorderedRate
  const input = { groupFrames: String(groupFrames), threads, isReordered }
  return [...encoders[rung.codec](rung, input), ...['-pix_fmt', 'yuv420p']]
}
