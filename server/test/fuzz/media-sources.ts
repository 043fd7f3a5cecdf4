import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2']
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=2']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-pix_fmt', 'yuv420p', '-g', '25']
const both = [...picture, ...tone]

/** Small files in common upload formats: the container, then the ffmpeg arguments. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'end-index.mp4': [...both, ...h264, '-c:a', 'aac'],
  'fast-start.mp4': [...both, ...h264, '-c:a', 'aac', '-movflags', '+faststart'],
  'fragmented.mp4': [...both, ...h264, '-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov'],
  'mpeg4.mov': [...both, '-c:v', 'mpeg4', '-c:a', 'pcm_s16le'],
  'hevc.mp4': [...picture, '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'],
  'h264.mkv': [...both, ...h264, '-c:a', 'aac'],
  'vp9.webm': [...both, '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-c:a', 'libopus'],
  'h264.ts': [...both, ...h264, '-c:a', 'aac'],
  'mpeg2.mpg': [...both, '-c:v', 'mpeg2video', '-c:a', 'mp2'],
  'h264.flv': [...both, ...h264, '-c:a', 'aac', '-ar', '44100'],
  'old.avi': [...both, '-c:v', 'mpeg4', '-c:a', 'mp3'],
  'theora.ogv': [...both, '-c:v', 'libtheora', '-c:a', 'libvorbis'],
  'tone.mp3': [...tone, '-c:a', 'libmp3lame'],
  'tone.ogg': [...tone, '-c:a', 'libvorbis'],
  'tone.wav': tone,
  'tone.flac': tone,
  'tone.m4a': [...tone, '-c:a', 'aac'],
  'tone.aac': [...tone, '-c:a', 'aac'],
}

export interface MediaSource {
  readonly name: string
  readonly bytes: Buffer
}

export const makeMediaSources = async (): Promise<MediaSource[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-kinds-'))
  try {
    const sources: MediaSource[] = []
    for (const [name, args] of Object.entries(kinds)) {
      const path = join(folder, name)
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-bitexact', ...args, path])
      sources.push({ name, bytes: await readFile(path) })
    }
    return sources
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
