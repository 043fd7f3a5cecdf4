import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { keepBetweenRuns } from './kept-media.ts'
import { madeOnce } from './made-once.ts'

const run = promisify(execFile)

export interface SampleOptions {
  readonly seconds: number
  readonly size?: string
  readonly videoCodec?: string
  readonly audioCodec?: string
  readonly format?: string
  readonly extra?: readonly string[]
}

/** Makes a small file with these ffmpeg arguments. A path among them must always name the same bytes. */
export const makeMedia = async (args: readonly string[], format = 'mp4'): Promise<Buffer> => {
  const hash = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 32)
  const name = `${hash}.${format}`
  const path = await madeOnce(name, (unfinished) => {
    const make = () => run('ffmpeg', ['-nostdin', '-v', 'error', ...args, unfinished])
    // The files of a run are not those of the next one.
    return args.some((arg) => arg.startsWith('/')) ? make() : keepBetweenRuns(name, unfinished, make)
  })
  return readFile(path)
}

/** Tags like HD: converting the colours of a small untagged source would take longer than the rest. */
const colours = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']
/** The fastest preset that uses B-frames, as the sources of customers do. */
const quick = ['-preset', 'superfast']

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
      ...['-c:v', videoCodec, '-pix_fmt', 'yuv420p', ...colours, '-g', '60'],
      ...(videoCodec === 'libx264' ? quick : []),
      ...['-c:a', audioCodec, ...extra],
    ],
    format,
  )
}

/**
 * Makes H.264 with B-frames and AAC that plays without encoding. The sound starts later than the pictures.
 */
export const makeLateSound = ({ fromSeconds }: { readonly fromSeconds: number }): Promise<Buffer> =>
  makeMedia([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=8'],
    ...['-itsoffset', String(fromSeconds)],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${8 - fromSeconds}`],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...colours, '-g', '50', '-bf', '3', '-b_strategy', '0'],
    ...['-c:a', 'aac', '-ac', '2'],
  ])

/** Returns the number of video frames that ffmpeg decodes from a manifest or file. */
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
