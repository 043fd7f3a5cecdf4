import { spawnSync } from 'node:child_process'
import { readFragmentStream, type FragmentPiece, type InitPiece } from '@zoetrope/isobmff'
import { expect, test } from 'vitest'
import { defaultPackaging, LivePackager, type TrackKind, type VideoUnit, type AudioUnit } from './index.ts'

const ffmpeg = (args: readonly string[], input?: Buffer): Buffer => {
  const { status, stdout, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...args], {
    ...(input && { input }),
    maxBuffer: 64 * 2 ** 20,
  })
  expect([stderr.toString(), status]).toEqual(['', 0])
  return stdout
}

const source = [
  '-f',
  'lavfi',
  '-i',
  'testsrc2=s=320x180:r=30000/1001:d=8',
  '-f',
  'lavfi',
  '-i',
  'sine=r=44100:d=8',
]
const fragments = [
  '-movflags',
  '+empty_moov+default_base_moof+frag_keyframe',
  '-use_editlist',
  '0',
  '-f',
  'mp4',
  'pipe:1',
]

/** Encodes a track and returns its frames with timestamps in whole milliseconds, as in RTMP. */
const encode = async (codec: readonly string[]) => {
  const bytes = ffmpeg([...source, ...codec, ...fragments])
  const pieces = await Array.fromAsync(
    readFragmentStream(
      (async function* () {
        yield await Promise.resolve(bytes)
      })(),
    ),
  )
  const init = pieces.find((piece): piece is InitPiece => piece.type === 'init')!
  const toMs = (ticks: number) => Math.floor((ticks * 1_000) / init.track.timescale)
  const units = pieces
    .filter((piece): piece is FragmentPiece => piece.type === 'fragment')
    .flatMap(({ samples, data }) =>
      Array.from({ length: samples.count }, (_, index) => ({
        decodeMs: toMs(samples.decodeTimes[index]!),
        timestampMs: toMs(samples.decodeTimes[index]!),
        compositionMs: toMs(samples.compositionOffsets[index]!),
        isKeyFrame: samples.isSync[index] === 1,
        data: data.subarray(samples.offsets[index], samples.offsets[index]! + samples.sizes[index]!),
      })),
    )
  return { track: init.track, units }
}

const bodyOf = (sampleEntry: Buffer, type: string): Buffer => {
  const at = sampleEntry.indexOf(type) - 4
  return sampleEntry.subarray(at + 8, at + sampleEntry.readUInt32BE(at))
}

const aacConfiguration = Buffer.from('1208', 'hex')

test.each([
  ['without B-frames', ['-bf', '0']],
  ['with B-frames', ['-bf', '2']],
])('ffmpeg decodes all frames of an encoder %s without errors after packaging', async (_name, more) => {
  const h264 = [
    '-map',
    '0',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '45',
    '-sc_threshold',
    '0',
    ...more,
  ]
  const video = await encode(h264)
  const audio = await encode(['-map', '1', '-c:a', 'aac'])
  const recorded: Record<TrackKind, Buffer[]> = { video: [], audio: [] }
  const packager = new LivePackager({
    ...defaultPackaging,
    now: () => 0,
    sink: {
      onInit: (kind, _version, { initSegment }) => void recorded[kind].push(initSegment),
      onPart: (kind, _number, { data }) => void recorded[kind].push(data),
    },
  })
  packager.setVideo('avc1', bodyOf(video.track.sampleEntry, 'avcC'))
  packager.setAudio('mp4a', aacConfiguration)
  const units: (VideoUnit & AudioUnit & { kind: TrackKind })[] = [
    ...video.units.map((unit) => ({ ...unit, kind: 'video' as const })),
    ...audio.units.map((unit) => ({ ...unit, kind: 'audio' as const })),
  ].toSorted((a, b) => a.decodeMs - b.decodeMs)
  for (const unit of units) {
    if (unit.kind === 'video') packager.addVideo(unit)
    else packager.addAudio(unit)
  }
  packager.end()

  expect(packager.rendition('video')!.format).toMatchObject({ widthPixels: 320, heightPixels: 180 })
  expect(
    packager.rendition('video')!.segments.map(({ durationSeconds }) => durationSeconds.toFixed(1)),
  ).toEqual([...['1.5', '1.5', '1.5', '1.5', '1.5', '0.5']])
  const hashes = ffmpeg(['-i', 'pipe:0', '-f', 'framemd5', '-'], Buffer.concat(recorded.video)).toString()
  expect(hashes.match(/^0,/gm)).toHaveLength(video.units.length)
  const packets = ffmpeg(['-i', 'pipe:0', '-c', 'copy', '-f', 'framemd5', '-'], Buffer.concat(recorded.audio))
  // Audio before the first presented picture is dropped.
  const soundFrames = packets.toString().match(/^0,/gm)!.length
  expect(audio.units.length - soundFrames).toBeLessThanOrEqual(4)
  ffmpeg(['-i', 'pipe:0', '-f', 'null', '-'], Buffer.concat(recorded.audio))

  const muxed = packager.rendition('av')!
  const { initSegment } = muxed.format
  const inParts = muxed.segments.flatMap(({ number, parts }) =>
    parts.flatMap(({ index }) => muxed.readPart(number, index)!),
  )
  const whole = await Array.fromAsync(muxed.segments, ({ number }) => muxed.read(number)!)
  for (const pieces of [inParts, whole.flat()]) {
    const input = Buffer.concat([initSegment, ...pieces])
    const both = ffmpeg(['-i', 'pipe:0', '-map', '0', '-f', 'framemd5', '-'], input).toString()
    expect(both.match(/^0,/gm)).toHaveLength(video.units.length)
    const sound = ffmpeg(['-i', 'pipe:0', '-map', '0:a', '-c', 'copy', '-f', 'framemd5', '-'], input)
    expect(sound.toString().match(/^0,/gm)).toHaveLength(soundFrames)
  }
})
