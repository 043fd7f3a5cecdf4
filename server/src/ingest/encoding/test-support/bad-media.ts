import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

type MakeMedia = (name: string, args: readonly string[]) => Promise<Buffer>

const inFolder = async (make: (ffmpeg: MakeMedia, folder: string) => Promise<Buffer>): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-bad-'))
  try {
    return await make(async (name, args) => {
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, join(folder, name)])
      return readFile(join(folder, name))
    }, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1']
const tone = ['-f', 'lavfi', '-i', 'sine=duration=0.2']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Replaces every occurrence; throws when none is found, so that a test cannot pass by accident. */
const replaceAll = (bytes: Buffer, from: string, to: string): Buffer => {
  let at = bytes.indexOf(from, 0, 'latin1')
  if (at === -1) throw new Error(`There is no ${from}.`)
  for (; at !== -1; at = bytes.indexOf(from, at + 1, 'latin1')) bytes.write(to, at, 'latin1')
  return bytes
}

/** A QuickTime file of a few hundred bytes that claims to be 30,000 pixels wide and high. */
export const pixelBomb = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const bytes = await ffmpeg('bomb.mov', [...picture, '-frames:v', '3', '-c:v', 'png'])
    const claim = (at: number) => {
      bytes.writeUInt32BE(30_000, at)
      bytes.writeUInt32BE(30_000, at + 4)
    }
    // PNG section 11.2.2: width and height follow the chunk name.
    for (let at = bytes.indexOf('IHDR'); at !== -1; at = bytes.indexOf('IHDR', at + 1)) claim(at + 4)
    // ISO/IEC 14496-12 section 12.1.3: 24 bytes after the name of the sample entry, 16 bits each.
    const entry = bytes.indexOf('png ', bytes.indexOf('stsd')) + 4 + 24
    bytes.writeUInt16BE(30_000, entry)
    bytes.writeUInt16BE(30_000, entry + 2)
    return bytes
  })

/** A video with a pixel aspect ratio that makes it 160,000 pixels wide. */
export const oblongPixels = (): Promise<Buffer> =>
  inFolder((ffmpeg) => ffmpeg('oblong.mkv', [...picture, '-vf', 'setsar=1000/1', '-c:v', 'mpeg4']))

/** Sets Info.Duration (4489) of a Matroska file: a float of eight bytes, in milliseconds. */
const claimDuration = (bytes: Buffer, seconds: number): Buffer => {
  const at = bytes.indexOf(Buffer.from('448988', 'hex'))
  if (at === -1) throw new Error('There is no duration.')
  bytes.writeDoubleBE(seconds * 1000, at + 3)
  return bytes
}

/** Omits the statistics that ffmpeg writes for each track. */
const matroska = ['-bitexact', '-map_metadata', '-1']

/** A video of one second that claims to last ten years. */
export const tenYears = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) =>
    claimDuration(
      await ffmpeg('years.mkv', [...picture, '-c:v', 'mpeg4', ...matroska]),
      10 * 365 * 24 * 3_600,
    ),
  )

/**
 * A file of half a megabyte with forty thousand frames at a thousand per second. It lasts forty seconds and
 * claims to last one.
 */
export const manyFrames = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const source = ['-f', 'lavfi', '-i', 'color=size=16x16:rate=1000:duration=40']
    return claimDuration(
      await ffmpeg('frames.mkv', [...source, '-c:v', 'mpeg4', '-g', '600', ...matroska]),
      1,
    )
  })

export const manyTracks = (): Promise<Buffer> =>
  inFolder(async (ffmpeg, folder) => {
    await ffmpeg('one.m4a', [...tone, '-c:a', 'aac'])
    const maps = Array.from({ length: 500 }, () => ['-map', '0:a']).flat()
    return ffmpeg('many.mp4', ['-i', join(folder, 'one.m4a'), ...maps, '-c', 'copy'])
  })

export const encrypted = (options: readonly string[] = []): Promise<Buffer> =>
  inFolder((ffmpeg) =>
    ffmpeg('drm.mp4', [
      ...[...picture, ...h264, '-encryption_scheme', 'cenc-aes-ctr'],
      ...['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'],
      ...['-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8', ...options],
    ]),
  )

export const unknownCodec = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const bytes = await ffmpeg('codec.mp4', [...picture, '-c:v', 'mpeg4'])
    return replaceAll(replaceAll(bytes, 'mp4v', 'zqx1'), 'esds', 'free')
  })

export const subtitlesOnly = (): Promise<Buffer> =>
  inFolder(async (ffmpeg, folder) => {
    await writeFile(join(folder, 'text.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n')
    return ffmpeg('text.mkv', ['-i', join(folder, 'text.srt'), '-c:s', 'srt'])
  })

/** A valid MP4 whose tracks reference media in another file (ISO/IEC 14496-12 section 8.7.2). */
export const mediaElsewhere = (path: string): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const bytes = await ffmpeg('elsewhere.mp4', [...picture, ...h264])
    const at = bytes.indexOf('url ')
    const location = Buffer.from(`file://${path}\0`)
    const grown = Buffer.concat([bytes.subarray(0, at + 8), location, bytes.subarray(at + 8)])
    grown.writeUInt32BE(0, at + 4)
    // All enclosing boxes grow by the same size.
    for (const type of ['url ', 'dref', 'dinf', 'minf', 'mdia', 'trak', 'moov']) {
      const start = grown.lastIndexOf(type, at) - 4
      grown.writeUInt32BE(grown.readUInt32BE(start) + location.length, start)
    }
    return grown
  })

/** A video whose edit list has 10,001 entries. */
export const manyEdits = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const bytes = await ffmpeg('edits.mp4', [...picture, ...h264, '-use_editlist', '0'])
    const count = 10_001
    const list = Buffer.alloc(24 + 12 * count)
    // ISO/IEC 14496-12 sections 8.6.5 and 8.6.6: both boxes, then duration, time and rate of each entry.
    list.writeUInt32BE(list.length, 0)
    list.write('edts', 4)
    list.writeUInt32BE(list.length - 8, 8)
    list.write('elst', 12)
    list.writeUInt32BE(count, 20)
    for (let at = 24; at < list.length; at += 12) list.set([0, 0, 0, 40, 0, 0, 0, 0, 0, 1, 0, 0], at)
    const at = bytes.indexOf('mdia') - 4
    for (const type of ['trak', 'moov']) {
      const start = bytes.lastIndexOf(type, at) - 4
      bytes.writeUInt32BE(bytes.readUInt32BE(start) + list.length, start)
    }
    return Buffer.concat([bytes.subarray(0, at), list, bytes.subarray(at)])
  })

/** A video whose frames last 68 years each. */
export const picturesOfYears = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const bytes = await ffmpeg('years.avi', [...picture, '-c:v', 'mpeg4'])
    // The stream header: type, codec, flags, priority, language, initial frames, then scale and rate.
    const header = bytes.indexOf('strh') + 8
    bytes.writeUInt32LE(2 ** 31 - 1, header + 20)
    bytes.writeUInt32LE(1, header + 24)
    return bytes
  })

/** A file with its index first and without the last two thirds of the media. */
export const missingEnd = (seconds: number): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const source = ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`]
    const bytes = await ffmpeg('whole.mp4', [...source, ...h264, '-g', '25', '-movflags', '+faststart'])
    const media = bytes.indexOf('mdat')
    return bytes.subarray(0, media + Math.floor((bytes.length - media) / 3))
  })

/** A single frame that lasts a millisecond, which any common frame rate drops. */
export const pictureOfAMillisecond = (): Promise<Buffer> =>
  inFolder((ffmpeg) =>
    ffmpeg('short.webm', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=8x8:rate=1000:duration=0.001', '-frames:v', '1'],
      ...['-c:v', 'libvpx'],
    ]),
  )

/** The only sequence parameter set of the avcC (ISO/IEC 14496-15 section 5.3.3.1). */
const sequenceSet = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf('avcC') + 4 + 6
  return bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at))
}

/** A video whose index says that it is SDR, while its frames say that they are HDR. */
export const contradictedIndex = (): Promise<Buffer> =>
  inFolder(async (ffmpeg) => {
    const make = (transfer: string) =>
      ffmpeg(`${transfer}.mp4`, [
        ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=4', ...h264, '-g', '25'],
        ...['-vf', `setparams=color_primaries=bt709:colorspace=bt709:color_trc=${transfer}`],
        ...['-movflags', '+faststart', '-bsf:v', 'dump_extra=freq=keyframe'],
      ])
    const bytes = await make('bt709')
    const hdrSet = sequenceSet(await make('smpte2084'))
    const set = sequenceSet(bytes)
    const media = bytes.indexOf('mdat')
    for (let at = bytes.indexOf(set, media); at !== -1; at = bytes.indexOf(set, at + 1))
      hdrSet.copy(bytes, at)
    return bytes
  })
