import { isAmf0Object } from '../amf0/amf0-value.ts'
import { amf0Payload } from '../messages/command.ts'
import type { AudioConfiguration, MediaMessage, VideoConfiguration } from '../messages/media-message.ts'
import { messageTypes, type Message } from '../wire/message.ts'
import { readAmf0 } from '../amf0/read-amf0.ts'
import { readAudioTag } from './read-audio-tag.ts'
import { readVideoTag } from './read-video-tag.ts'
import { RtmpError } from '../wire/rtmp-error.ts'
import { StreamClock } from './stream-clock.ts'

export class MediaReader {
  readonly #clock = new StreamClock()
  #hasOtherTracks = false
  videoConfiguration: VideoConfiguration | null = null
  audioConfiguration: AudioConfiguration | null = null

  read(message: Message): MediaMessage[] {
    switch (message.type) {
      case messageTypes.video:
        return this.#readVideo(message)
      case messageTypes.audio:
        return this.#readAudio(message)
      case messageTypes.dataAmf0:
      case messageTypes.dataAmf3:
        return this.#readData(message)
      case messageTypes.aggregate:
        throw new RtmpError('unsupported', 'Aggregate messages are not supported.')
      default:
        return []
    }
  }

  #readVideo({ payload, timestamp }: Message): MediaMessage[] {
    const tag = readVideoTag(payload)
    if (tag === null) return []
    if (tag.type === 'other-track') return this.#ignoreTrack()
    if (tag.type === 'video-frame') {
      const { timestampMs, jumpedMs } = this.#clock.advance('video', timestamp)
      return [...clockWarning(jumpedMs), { ...tag, timestampMs }]
    }
    if (tag.type !== 'video-configuration') return [tag]
    // Many encoders repeat the configuration with every key frame; report only changes.
    if (isSame(this.videoConfiguration, tag)) return []
    this.videoConfiguration = tag
    return [tag]
  }

  #readAudio({ payload, timestamp }: Message): MediaMessage[] {
    const tag = readAudioTag(payload)
    if (tag === null) return []
    if (tag.type === 'other-track') return this.#ignoreTrack()
    if (tag.type === 'audio-frame') {
      const { timestampMs, jumpedMs } = this.#clock.advance('audio', timestamp)
      return [...clockWarning(jumpedMs), { ...tag, timestampMs }]
    }
    if (tag.type !== 'audio-configuration') return [tag]
    if (isSame(this.audioConfiguration, tag)) return []
    this.audioConfiguration = tag
    return [tag]
  }

  /** Ignores unreadable data messages, because playback does not depend on them. */
  #readData(message: Message): MediaMessage[] {
    try {
      const values = readAmf0(amf0Payload(message))
      const [name, ...rest] = values[0] === '@setDataFrame' ? values.slice(1) : values
      if (typeof name !== 'string' || name === '@clearDataFrame') return []
      if (name === 'onMetaData' && isAmf0Object(rest[0])) return [{ type: 'metadata', values: rest[0] }]
      return [{ type: 'data', name, timestampMs: this.#clock.read(message.timestamp), values: rest }]
    } catch (error) {
      if (error instanceof RtmpError) return []
      throw error
    }
  }

  #ignoreTrack(): MediaMessage[] {
    if (this.#hasOtherTracks) return []
    this.#hasOtherTracks = true
    return [
      {
        type: 'warning',
        code: 'track_ignored',
        message: 'The encoder sends several tracks of a kind: only the first is taken.',
      },
    ]
  }
}

const clockWarning = (jumpedMs: number): MediaMessage[] =>
  jumpedMs === 0
    ? []
    : [
        {
          type: 'warning',
          code: 'clock_jumped',
          message: `The encoder's clock jumped by ${jumpedMs} ms; the stream goes on without a gap.`,
        },
      ]

const isSame = (
  known: VideoConfiguration | AudioConfiguration | null,
  tag: VideoConfiguration | AudioConfiguration,
): boolean => known !== null && known.codec === tag.codec && known.data.equals(tag.data)
