import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  createMediaFolder,
  ffmpeg,
  h264,
  probePackets,
  run,
  testSound,
  testVideo,
  type Packet,
} from '../../test-support/media.ts'
import { openFileReader, readMovie, type RandomAccessReader, type Track } from '../index.ts'
import { readBoxes } from '../boxes/box.ts'
import { u32, writeBox, writeFullBox } from '../boxes/write-box.ts'
import { turnPicture } from '../../test-support/turn-picture.ts'

const folder = await createMediaFolder()

const inputs = [...testVideo('25', 4), ...testSound(4)]
const codecs = [...h264(25), '-c:a', 'aac', '-ac', '2']

const make = async (name: string, ...args: readonly string[]) => {
  await ffmpeg([...args, folder.path(name)])
  return folder.path(name)
}

const open = async (path: string) => {
  await using reader = await openFileReader(path)
  return await readMovie(reader)
}

const first = <T>(items: readonly T[]): T => items[0]!

const samplesAsPackets = ({ samples, presentationShiftTicks }: Track): Packet[] =>
  Array.from({ length: samples.count }, (_, index) => {
    const dts = samples.decodeTimes[index]! + presentationShiftTicks
    return {
      pts: dts + samples.compositionOffsets[index]!,
      dts,
      sizeBytes: samples.sizes[index]!,
      position: samples.offsets[index]!,
      isKey: samples.isSync[index] === 1,
    }
  })

const expectSamplesOfFfprobe = async (path: string) => {
  const movie = await open(path)
  for (const kind of ['video', 'audio'] as const) {
    const track = first(movie.tracks.filter((candidate) => candidate.kind === kind))
    const packets = await probePackets(path, `${kind[0]}:0`)
    expect(packets.length).toBeGreaterThan(90)
    expect(samplesAsPackets(track)).toEqual(packets)
  }
  return movie
}

test('readMovie reads the same samples as ffprobe, with the moov first or last', async () => {
  const path = await make('moov-last.mp4', ...inputs, ...codecs)
  const movie = await expectSamplesOfFfprobe(path)
  expect(movie).toMatchObject({ durationSeconds: 4, isFragmented: false })
  const faststart = await make('moov-first.mp4', '-i', path, '-c', 'copy', '-movflags', '+faststart')
  await expectSamplesOfFfprobe(faststart)
})

test('readMovie reads the same samples of a fragmented file as ffprobe', async () => {
  const flags = '+frag_keyframe+empty_moov+default_base_moof'
  const movie = await expectSamplesOfFfprobe(
    await make('fragmented.mp4', ...inputs, ...codecs, '-movflags', flags),
  )
  expect(movie.isFragmented).toBe(true)
})

test('readMovie places the samples of a moov before those of the fragments that follow', async () => {
  await expectSamplesOfFfprobe(await make('hybrid.mp4', ...inputs, ...codecs, '-movflags', '+frag_keyframe'))
})

test('readMovie reads negative composition offsets (ctts version 1)', async () => {
  const path = await make('negative.mp4', ...inputs, ...codecs, '-movflags', '+negative_cts_offsets')
  const video = first((await open(path)).tracks)
  const pts = (packets: readonly Packet[]) => packets.map((packet) => packet.pts)
  expect(Math.min(...video.samples.compositionOffsets)).toBeLessThan(0)
  expect(pts(samplesAsPackets(video))).toEqual(pts(await probePackets(path, 'v:0')))
})

test('an empty edit delays a track', async () => {
  const source = await make('delay-source.mp4', ...inputs, ...codecs)
  const path = await make(
    'delay.mp4',
    '-i',
    source,
    '-itsoffset',
    '0.5',
    '-i',
    source,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
  )
  const movie = await open(path)
  const [packet] = await probePackets(path, 'a:0')
  expect(packet!.pts).toBeGreaterThan(20_000)
  expect(movie.tracks[1]!.presentationShiftTicks).toBe(packet!.pts)
  expect(movie.durationSeconds).toBeCloseTo(4.5, 2)
})

test('readMovie reads codec, size, rotation and language of the tracks', async () => {
  const rotated = await make(
    'facts.mp4',
    ...inputs,
    ...codecs,
    ...['-vf', 'setsar=4/3', '-metadata:s:a:0', 'language=deu', '-profile:v', 'high', '-level', '3.1'],
  )
  await turnPicture(rotated, 90)
  const probe = ['-v', 'error', '-show_entries', 'stream_side_data=rotation', '-of', 'csv=p=0', rotated]
  const counterclockwiseDegrees = Number((await run('ffprobe', probe)).toString().trim())
  const [video, audio] = (await open(rotated)).tracks
  expect(video).toMatchObject({
    kind: 'video',
    codec: 'avc1.64001f',
    fourCC: 'avc1',
    sampleEntryCount: 1,
    isEncrypted: false,
    widthPixels: 320,
    heightPixels: 180,
    rotationDegrees: (360 - counterclockwiseDegrees) % 360,
    pixelAspectRatio: [4, 3],
    hasComplexEdits: false,
    language: 'und',
  })
  expect(audio).toMatchObject({
    kind: 'audio',
    codec: 'mp4a.40.2',
    timescale: 48_000,
    channels: 2,
    sampleRateHz: 48_000,
    language: 'deu',
  })
})

test.each([
  ['libx265', ['-tag:v', 'hvc1', '-x265-params', 'log-level=none:level-idc=3.1'], 'hvc1.1.6.L93.90'],
  ['libvpx-vp9', ['-deadline', 'realtime', '-cpu-used', '8'], 'vp09.00.11.08'],
])('a track encoded by %s has the codec string of RFC 6381', async (encoder, options, codec) => {
  const video = [...testVideo('25', 0.4), '-pix_fmt', 'yuv420p', '-c:v', encoder, ...options]
  const movie = await open(await make(`${encoder}.mp4`, ...video))
  expect(first(movie.tracks).codec).toBe(codec)
})

test('QuickTime audio gets the standard sample entry', async () => {
  const mov = (await open(await make('sound.mov', ...inputs, ...codecs))).tracks[1]!
  const mp4 = (await open(await make('sound.mp4', ...inputs, ...codecs))).tracks[1]!
  expect(mov).toMatchObject({ codec: 'mp4a.40.2', channels: 2, sampleRateHz: 48_000 })
  const head = (track: Track) => track.sampleEntry.subarray(8, 36).toString('hex')
  expect(head(mov)).toBe(head(mp4))
  expect(readBoxes(mov.sampleEntry.subarray(36)).map((box) => box.type)).toEqual(['esds'])
})

test('readMovie names the codec of raw audio but does not index its samples', async () => {
  const movie = await open(await make('raw.mov', ...inputs, ...h264(25), '-c:a', 'pcm_s16le'))
  expect(movie.tracks[1]).toMatchObject({ kind: 'audio', codec: 'sowt', samples: { count: 0 } })
})

test('readMovie reads 64-bit offsets and compact sample sizes like the usual boxes', async () => {
  const path = await make('usual.mp4', ...inputs, ...codecs)
  const rewrite = (type: string, body: Buffer): Buffer => {
    const table = Array.from({ length: body.length / 4 }, (_, index) => body.readUInt32BE(index * 4))
    if (type === 'stco')
      return writeFullBox('co64', 0, 0, u32(table[1]!, ...table.slice(2).flatMap((at) => [0, at])))
    if (type === 'stsz') {
      const sizes = Buffer.alloc(table[2]! * 2)
      table.slice(3).forEach((size, index) => sizes.writeUInt16BE(size, index * 2))
      return writeFullBox('stz2', 0, 0, u32(16, table[2]!), sizes)
    }
    const isContainer = ['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(type)
    return writeBox(
      type,
      ...(isContainer ? readBoxes(body).map((box) => rewrite(box.type, box.body)) : [body]),
    )
  }
  const file = await readFile(path)
  await writeFile(
    folder.path('unusual.mp4'),
    Buffer.concat(
      readBoxes(file).map((box) => (box.type === 'moov' ? rewrite('moov', box.body) : box.bytes)),
    ),
  )
  const samplesOf = async (name: string) =>
    (await open(folder.path(name))).tracks.map((track) => track.samples)
  expect(await samplesOf('unusual.mp4')).toEqual(await samplesOf('usual.mp4'))
})

describe('readMovie sends few requests', () => {
  const countReads = async (path: string) => {
    await using reader = await openFileReader(path)
    let requests = 0
    let bytes = 0
    const counting: RandomAccessReader = {
      sizeBytes: reader.sizeBytes,
      read: async (offset, length) => {
        requests++
        bytes += length
        return reader.read(offset, length)
      },
    }
    await readMovie(counting)
    return { requests, bytes, sizeBytes: reader.sizeBytes }
  }
  const noise = [
    ...testVideo('25', 12),
    '-vf',
    'scale=640:360,noise=alls=100:allf=t',
    '-c:v',
    'mpeg4',
    '-q:v',
    '2',
  ]

  test('two for a moov after the media', async () => {
    const { requests, bytes, sizeBytes } = await countReads(await make('noise.mp4', ...noise, '-g', '25'))
    expect(requests).toBe(2)
    expect(bytes).toBeLessThan(sizeBytes / 4)
  })

  test('one for each fragment', async () => {
    const path = await make(
      'noise-fragments.mp4',
      '-i',
      folder.path('noise.mp4'),
      '-c',
      'copy',
      '-movflags',
      '+frag_keyframe+empty_moov',
    )
    const { requests, bytes, sizeBytes } = await countReads(path)
    const fragments = readBoxes(await readFile(path)).filter((box) => box.type === 'moof')
    expect(fragments.length).toBeGreaterThan(10)
    expect(requests).toBeLessThanOrEqual(fragments.length + 2)
    expect(bytes).toBeLessThan(sizeBytes / 4)
  })
})
