import { readDecoderConfiguration, readFragmentedTracks } from '@zoetrope/isobmff'
import type { AudioCodec, MediaMessage, VideoCodec } from '@zoetrope/rtmp'
import { newMessage } from '../../../../platform/base/message.ts'
import { SourceError } from './source-error.ts'

interface OpenTrack {
  readonly timescale: number
  /** Added to a decode time to convert it to the clock that all tracks share. */
  readonly shiftTicks: number
  readonly codec: VideoCodec | AudioCodec
}

const videoCodecs = new Set(['avc1', 'hvc1', 'av01'])
const audioCodecs = new Set(['mp4a', 'Opus'])

/**
 * Reads the fragmented MP4 that ffmpeg writes to a pipe, as messages like those of an RTMP publisher. The
 * edit lists of the moov hold the offset between the tracks. Timestamps keep the precision of the source (90
 * kHz in MPEG-TS). Throws IsobmffError. Throws SourceError when HEVC has the sample entry `hev1`, which not
 * every player accepts.
 */
export async function* readFfmpegMedia(input: AsyncIterable<Buffer>): AsyncGenerator<MediaMessage> {
  const open = new Map<number, OpenTrack>()
  let originMs: number | undefined
  for await (const piece of readFragmentedTracks(input)) {
    if (piece.type === 'init') {
      for (const { id, fourCC, sampleEntry, timescale, presentationShiftTicks } of piece.tracks) {
        if (fourCC === 'hev1') throw new SourceError('hevc', newMessage('live_source_is_hevc'))
        const data = readDecoderConfiguration(fourCC, sampleEntry)
        if (data === null) continue
        open.set(id, {
          timescale,
          shiftTicks: presentationShiftTicks,
          codec: fourCC as VideoCodec | AudioCodec,
        })
        if (videoCodecs.has(fourCC)) yield { type: 'video-configuration', codec: fourCC as VideoCodec, data }
        if (audioCodecs.has(fourCC)) yield { type: 'audio-configuration', codec: fourCC as AudioCodec, data }
      }
      originMs = earliestMs([...open.values()])
      continue
    }
    const track = open.get(piece.track.id)
    if (track === undefined || originMs === undefined) continue
    const { samples, data } = piece
    const ms = (ticks: number): number => (ticks * 1_000) / track.timescale
    for (let index = 0; index < samples.count; index++) {
      const offset = samples.offsets[index]!
      const bytes = data.subarray(offset, offset + samples.sizes[index]!)
      const timestampMs = ms(samples.decodeTimes[index]! + track.shiftTicks) - originMs
      const common = { timestampMs, data: bytes }
      yield videoCodecs.has(track.codec)
        ? {
            type: 'video-frame',
            codec: track.codec as VideoCodec,
            compositionTimeMs: ms(samples.compositionOffsets[index]!),
            isKeyFrame: samples.isSync[index] === 1,
            ...common,
          }
        : { type: 'audio-frame', codec: track.codec as AudioCodec, ...common }
    }
  }
}

/** Reordered pictures are decoded before the presentation begins, but no timestamp may be negative. */
const earliestMs = (tracks: readonly OpenTrack[]): number =>
  Math.min(0, ...tracks.map(({ shiftTicks, timescale }) => (shiftTicks * 1_000) / timescale))
