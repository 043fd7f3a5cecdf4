import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/**
 * Runs a program and returns its output. Throws on a non-zero exit code and on any stderr output, because
 * warnings indicate faulty media.
 */
export const run = async (program: string, args: readonly string[], input?: Buffer): Promise<Buffer> => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const collect = async (stream: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(stream))
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [output, complaints, exitCode] = await Promise.all([
    collect(child.stdout),
    collect(child.stderr),
    exited,
  ])
  if (exitCode !== 0 || complaints.length > 0)
    throw new Error(`${program} (${exitCode}): ${complaints.toString()}`)
  return output
}

/** Creates a folder that is removed after the tests. Call it at the top level of a test file. */
export const createMediaFolder = async (): Promise<{ path: (name: string) => string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-media-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return { path: (name) => join(folder, name) }
}

export const ffmpeg = (args: readonly string[], input?: Buffer): Promise<Buffer> =>
  run(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-y', ...args].filter((arg) => !input || arg !== '-nostdin'),
    input,
  )

export const testVideo = (frameRate: string, seconds: number): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=320x180:rate=${frameRate}:duration=${seconds}`,
]

export const testSound = (seconds: number): readonly string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=440:beep_factor=4:sample_rate=48000:duration=${seconds}`,
]

/** x264 options for B-frames and closed groups of `groupSize` pictures. */
export const h264 = (groupSize: number): readonly string[] => [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '3', '-b_strategy', '0'],
  ...['-g', String(groupSize), '-keyint_min', String(groupSize), '-sc_threshold', '0', '-flags', '+cgop'],
]

export interface Packet {
  readonly pts: number
  readonly dts: number
  readonly sizeBytes: number
  readonly position: number
  readonly isKey: boolean
}

/** Returns the packets that ffprobe reads from one stream (`v:0`, `a:0`), in stream ticks. */
export const probePackets = async (
  path: string,
  stream: string,
  inputOptions: readonly string[] = [],
): Promise<Packet[]> => {
  const args = [
    '-v',
    'error',
    ...inputOptions,
    '-select_streams',
    stream,
    '-show_packets',
    '-of',
    'json',
    path,
  ]
  const { packets } = JSON.parse((await run('ffprobe', args)).toString()) as {
    packets: Record<string, string>[]
  }
  return packets.map((packet) => ({
    pts: Number(packet['pts']),
    dts: Number(packet['dts']),
    sizeBytes: Number(packet['size']),
    position: Number(packet['pos']),
    isKey: packet['flags']!.startsWith('K'),
  }))
}

/** Decodes one stream without warnings and returns the hash of each frame. */
export const hashFrames = async (
  path: string,
  stream: string,
  inputOptions: readonly string[] = [],
): Promise<string[]> => {
  const args = [...inputOptions, '-i', path, '-map', `0:${stream}`, '-fps_mode', 'passthrough']
  const text = (await ffmpeg([...args, '-f', 'framehash', '-hash', 'md5', '-'])).toString()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => line.split(',').at(-1)!.trim())
}
