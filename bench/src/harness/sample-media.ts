import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ffmpeg = async (args: readonly string[]): Promise<void> => {
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...args])
}

const secondsOfPattern = 20

const codecArguments = {
  // As cameras and editors write it: key frames every two seconds, about 3 Mbit/s.
  h264: [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-b:v',
    '3M',
    '-maxrate',
    '4M',
    '-bufsize',
    '8M',
    '-g',
    '60',
  ],
  hevc: [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-b:v',
    '3M',
    '-x265-params',
    'log-level=error:keyint=60',
  ],
} as const

export interface SampleSource {
  readonly codec: keyof typeof codecArguments
  readonly container: 'mp4' | 'mkv'
  readonly seconds: number
}

/**
 * A 1080p source with AAC: a moving test picture under grain, which keeps encoders as busy as a camera does. Long ones repeat a short
 * piece without encoding it again.
 */
export const makeSampleSource = async (
  folder: string,
  { codec, container, seconds }: SampleSource,
): Promise<string> => {
  const piecePath = join(folder, `${codec}-piece.${container}`)
  const path = join(folder, `${codec}-${seconds}s.${container}`)
  const pieceSeconds = Math.min(secondsOfPattern, seconds)
  await ffmpeg([
    ...['-f', 'lavfi', '-i', `testsrc2=size=1920x1080:rate=30:duration=${pieceSeconds},noise=alls=6:allf=t`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${pieceSeconds}`],
    ...[
      '-pix_fmt',
      'yuv420p',
      ...codecArguments[codec],
      '-c:a',
      'aac',
      '-b:a',
      '128k',
      '-ac',
      '2',
      '-y',
      piecePath,
    ],
  ])
  await ffmpeg([
    ...['-stream_loop', '-1', '-i', piecePath, '-t', String(seconds), '-c', 'copy'],
    ...(container === 'mp4' ? ['-movflags', '+faststart'] : []),
    path,
  ])
  return path
}
