import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const run = promisify(execFile)

export const makeMedia = async (path: string, ...args: string[]): Promise<string> => {
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path])
  return path
}

export const testPicture = (size: string, seconds: number, rate = '30'): string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`,
]

export const testTone = (seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=440:sample_rate=48000:duration=${seconds}`,
]

/** Tags like HD: converting the colors of a small untagged source would dominate the run time. */
export const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']

export const h264: readonly string[] = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ...bt709,
]

const hevc10 = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p10le',
  '-x265-params',
  'log-level=none',
]

/** HDR10 (`smpte2084`) or HLG (`arib-std-b67`). */
export const hdr = (transfer: string): string[] => [
  ...hevc10,
  '-vf',
  `setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc=${transfer}`,
]

export const plainColor = (name: string, seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=${name}:size=320x180:rate=30:duration=${seconds}`,
]

/** Returns values from ffprobe, independently of this package. */
export const ffprobeValues = async (path: string, entries: string, ...args: string[]): Promise<string[]> => {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    ...args,
    '-show_entries',
    entries,
    '-of',
    'default=noprint_wrappers=1:nokey=1',
    path,
  ])
  return stdout.trim().split('\n')
}

export const decodeRaw = async (path: string, ...args: string[]): Promise<Buffer> => {
  const all = ['-v', 'error', '-ignore_editlist', '1', '-i', path, ...args, '-']
  const { stdout } = await run('ffmpeg', all, { encoding: 'buffer' })
  return stdout
}

/** Returns the gray levels of the image, averaged over a 4×4 grid. */
export const greyLevels = async (path: string): Promise<number[]> => {
  const filter = 'scale=4:4:flags=area:out_range=pc,format=gray'
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, '-vf', filter, '-f', 'rawvideo', '-'], {
    encoding: 'buffer',
  })
  return [...stdout]
}

export const firstBrightFrame = async (path: string): Promise<number> =>
  (await decodeRaw(path, '-vf', 'scale=1:1:flags=area,format=gray', '-f', 'rawvideo')).findIndex(
    (grey) => grey > 127,
  )

export const firstLoudSample = async (path: string): Promise<number> => {
  const bytes = await decodeRaw(path, '-ac', '1', '-f', 's16le')
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  return samples.findIndex((level) => Math.abs(level) > 500)
}

export const useFolder = (): ((name: string) => string) => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zoetrope-ffmpeg-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
  })
  return (name) => join(folder, name)
}
