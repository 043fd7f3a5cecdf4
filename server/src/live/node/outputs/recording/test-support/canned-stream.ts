import { readFragmentStream, type FragmentPiece, type InitPiece } from '@zoetrope/isobmff'
import type { AudioUnit, LivePackager, VideoUnit } from '@zoetrope/ll-hls'
import { makeMedia } from '../../../../../../test/support/media.ts'

export interface CannedFrames<Unit> {
  readonly configuration: Buffer
  readonly units: readonly Unit[]
}

export interface CannedStream {
  readonly video: CannedFrames<VideoUnit>
  readonly audio: CannedFrames<AudioUnit>
}

const fragments = [
  ...['-movflags', '+empty_moov+default_base_moof+frag_keyframe', '-use_editlist', '0'],
  ...['-f', 'mp4'],
]

/** Returns the frames of a track with timestamps in whole milliseconds, as in RTMP. */
export const framesOf = async (args: readonly string[], configurationBox: string) => {
  const bytes = await makeMedia([...args, ...fragments])
  const pieces = await Array.fromAsync(
    readFragmentStream(
      (async function* () {
        yield await Promise.resolve(bytes)
      })(),
    ),
  )
  const { track } = pieces.find((piece): piece is InitPiece => piece.type === 'init')!
  const at = track.sampleEntry.indexOf(configurationBox) - 4
  const toMs = (ticks: number) => Math.floor((ticks * 1_000) / track.timescale)
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
  return { configuration: track.sampleEntry.subarray(at + 8, at + track.sampleEntry.readUInt32BE(at)), units }
}

/** Real AV1 with a key frame every second. */
export const av1Frames = (seconds: number): Promise<CannedFrames<VideoUnit>> => {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=30:d=${seconds}`, '-pix_fmt', 'yuv420p']
  return framesOf([...picture, '-c:v', 'libsvtav1', '-preset', '12', '-g', '30'], 'av1C')
}

/** The output of an encoder: real H.264 with B-frames, a key frame every second, and AAC. */
export const cannedStream = async ({ seconds = 6, size = '320x180' } = {}): Promise<CannedStream> => {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=30:d=${seconds}`]
  const h264 = ['-c:v', 'libx264', '-preset', 'superfast', '-bf', '2', '-g', '30', '-flags', '+cgop']
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:r=48000:d=${seconds}`, '-ac', '2', '-c:a', 'aac']
  const [video, audio] = await Promise.all([
    framesOf([...picture, ...h264, '-pix_fmt', 'yuv420p'], 'avcC'),
    framesOf(sound, 'esds'),
  ])
  // AAC-LC, 48 kHz, stereo.
  return { video, audio: { ...audio, configuration: Buffer.from('1190', 'hex') } }
}

/** Like `cannedStream`, four seconds with a megabyte a second. */
export const noisyStream = async (): Promise<CannedStream> => {
  const stream = await cannedStream({ seconds: 4 })
  const units = stream.video.units.map((unit) => ({ ...unit, data: withFiller(unit.data) }))
  return { ...stream, video: { ...stream.video, units } }
}

const fillerBytes = 2 ** 20 / 30

/** ITU-T H.264, 7.3.2.7: decoders skip filler data, NAL unit type 12. */
const withFiller = (data: Buffer): Buffer => {
  const filler = Buffer.alloc(Math.ceil(fillerBytes), 0xff)
  filler.writeUInt32BE(filler.length - 4)
  filler[4] = 12
  filler[filler.length - 1] = 0x80
  return Buffer.concat([data, filler])
}

export interface SendOptions {
  readonly startMs?: number
  readonly fromMs?: number
  readonly untilMs?: number
  readonly withAudio?: (timestampMs: number) => boolean
}

export const send = (
  packager: LivePackager,
  { video, audio }: CannedStream,
  { startMs = 0, fromMs = 0, untilMs = Infinity, withAudio = () => true }: SendOptions = {},
): void => {
  packager.setVideo('avc1', video.configuration)
  packager.setAudio('mp4a', audio.configuration)
  const isSent = (ms: number) => ms >= fromMs && ms < untilMs
  const frames = [
    ...video.units
      .filter(({ decodeMs }) => isSent(decodeMs))
      .map((unit) => ({
        ms: unit.decodeMs,
        send: () => packager.addVideo({ ...unit, decodeMs: unit.decodeMs + startMs }),
      })),
    ...audio.units
      .filter(({ timestampMs }) => isSent(timestampMs) && withAudio(timestampMs))
      .map((unit) => ({
        ms: unit.timestampMs,
        send: () => packager.addAudio({ ...unit, timestampMs: unit.timestampMs + startMs }),
      })),
  ].toSorted((one, other) => one.ms - other.ms)
  for (const frame of frames) frame.send()
}
