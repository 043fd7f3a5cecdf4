import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ffmpeg = async (args: readonly string[]): Promise<void> => {
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...args])
}

const secondsOfPattern = 20

const aac = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']

/** With sound. `bitRate` is that of the video. */
const codecArguments = {
  // As cameras and editors write it: key frames every two seconds.
  h264: (bitRate: string) => [
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '60'],
    ...['-b:v', bitRate, '-maxrate', bitRate, '-bufsize', bitRate, ...aac],
  ],
  hevc: (bitRate: string) => [
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx265', '-preset', 'ultrafast', '-b:v', bitRate],
    ...['-x265-params', 'log-level=error:keyint=60', ...aac],
  ],
  vp9: (bitRate: string) => [
    ...[
      '-pix_fmt',
      'yuv420p',
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-row-mt',
      '1',
    ],
    ...['-b:v', bitRate, '-g', '60', '-c:a', 'libopus', '-b:a', '128k', '-ac', '2'],
  ],
  // The bit rate follows from the frame size: the proxy profile of 1080p has about 45 Mbit/s.
  prores: () => [
    ...[
      '-pix_fmt',
      'yuv422p10le',
      '-c:v',
      'prores_ks',
      '-profile:v',
      'proxy',
      '-c:a',
      'pcm_s16le',
      '-ac',
      '2',
    ],
  ],
} as const

export interface SampleSource {
  readonly codec: keyof typeof codecArguments
  readonly container: 'mp4' | 'mkv' | 'webm' | 'mov'
  readonly seconds: number
  /** Video bit rate in ffmpeg notation. Default: 3 Mbit/s. */
  readonly bitRate?: string
  /** Whether the index of an MP4 precedes its media. Default: true. Phones and cameras write it last. */
  readonly isIndexFirst?: boolean
}

/**
 * Makes a 1080p source with sound: a moving test picture with grain, which loads encoders like camera
 * footage. Long sources repeat a short piece without encoding it again.
 */
export const makeSampleSource = async (
  folder: string,
  { codec, container, seconds, bitRate = '3M', isIndexFirst = true }: SampleSource,
): Promise<string> => {
  const piecePath = join(folder, `${codec}-piece.${container}`)
  const path = join(folder, `${codec}-${seconds}s.${container}`)
  const pieceSeconds = Math.min(secondsOfPattern, seconds)
  await ffmpeg([
    ...['-f', 'lavfi', '-i', `testsrc2=size=1920x1080:rate=30:duration=${pieceSeconds},noise=alls=6:allf=t`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${pieceSeconds}`],
    ...[...codecArguments[codec](bitRate), '-y', piecePath],
  ])
  await ffmpeg([
    ...['-stream_loop', '-1', '-i', piecePath, '-t', String(seconds), '-c', 'copy'],
    ...(container === 'mp4' && isIndexFirst ? ['-movflags', '+faststart'] : []),
    path,
  ])
  return path
}
