import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SampleOptions {
  readonly seconds: number
  readonly size?: string
  readonly videoCodec?: string
  readonly audioCodec?: string
  readonly format?: string
  readonly extra?: readonly string[]
}

/** A small file of what these arguments of ffmpeg say. */
export const makeMedia = async (args: readonly string[], format = 'mp4'): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-sample-'))
  const path = join(folder, `sample.${format}`)
  try {
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...args, path])
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A small real video made by ffmpeg: moving test picture and a tone. */
export const makeSample = async (options: SampleOptions): Promise<Buffer> => {
  const {
    seconds,
    size = '320x180',
    videoCodec = 'libx264',
    audioCodec = 'aac',
    format = 'mp4',
    extra = [],
  } = options
  const picture = `testsrc2=size=${size}:rate=30:duration=${seconds}`
  const sound = `sine=frequency=440:duration=${seconds}`
  return makeMedia(
    [
      ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound],
      ...['-c:v', videoCodec, '-pix_fmt', 'yuv420p', '-g', '60', '-c:a', audioCodec, ...extra],
    ],
    format,
  )
}

/** The decoded frames of a manifest or file, as ffmpeg sees them: count of video frames and seconds of the last one. */
export const countFrames = async (url: string): Promise<number> => {
  const { stdout } = await run('ffprobe', [
    ...[
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-count_frames',
      '-show_entries',
      'stream=nb_read_frames',
      '-of',
      'csv=p=0',
      url,
    ],
  ])
  return Number(stdout.trim().split('\n')[0])
}
