import {
  findSequenceHeader,
  IsobmffError,
  obuTypes,
  readAv1ConfigurationObus,
  readObus,
  writeAv1Configuration,
  writeObu,
  type Obu,
} from '@zoetrope/isobmff'
import type { MediaMessage, VideoConfiguration, VideoFrame } from '@zoetrope/rtmp'
import { newMessage } from '../../../platform/base/message.ts'
import { UnsupportedMediaError } from './feed-packager.ts'

/** AV1 Codec ISO Media File Format Binding, 2.4: OBUs that a sample should not or must not contain. */
const leftOut = new Set<number>([obuTypes.temporalDelimiter, obuTypes.tileList, obuTypes.padding])

/**
 * Converts the AV1 of one publisher to the form that MP4 requires; other messages pass unchanged.
 * Configurations get a sequence header and fields that match it, and key frames start with that header.
 * Encoders may send the header in only one of the two places, or change it mid-stream. Throws
 * UnsupportedMediaError.
 */
export class Av1Messages {
  #header: Obu | undefined

  read(message: MediaMessage): MediaMessage[] {
    try {
      if (message.type === 'video-configuration') return this.#readConfiguration(message)
      if (message.type !== 'video-frame' || message.codec !== 'av01') return [message]
      return this.#readFrame(message)
    } catch (error) {
      if (!(error instanceof IsobmffError)) throw error
      throw new UnsupportedMediaError(newMessage('live_av1_unreadable', { detail: error.message }))
    }
  }

  #readConfiguration(message: VideoConfiguration): MediaMessage[] {
    this.#header = undefined
    if (message.codec !== 'av01') return [message]
    const obus = readAv1ConfigurationObus(message.data)
    this.#header = findSequenceHeader(obus)
    // Without a header, the first key frame supplies the configuration.
    return this.#header ? [{ ...message, data: writeAv1Configuration(obus) }] : []
  }

  #readFrame(frame: VideoFrame): MediaMessage[] {
    const obus = readObus(frame.data).filter(({ type }) => !leftOut.has(type))
    if (obus.length === 0) return []
    if (frame.isKeyFrame) return this.#readKeyFrame(frame, obus)
    return this.#header ? [withObus(frame, obus)] : []
  }

  #readKeyFrame(frame: VideoFrame, obus: readonly Obu[]): MediaMessage[] {
    const header = findSequenceHeader(obus)
    if (header === undefined) {
      if (this.#header === undefined)
        throw new IsobmffError('malformed', 'The AV1 sequence header is missing.')
      return [withObus(frame, [this.#header, ...obus])]
    }
    const isKnown = this.#header?.payload.equals(header.payload) === true
    if (isKnown) return [withObus(frame, obus)]
    this.#header = header
    const data = writeAv1Configuration([header])
    return [{ type: 'video-configuration', codec: 'av01', data }, withObus(frame, obus)]
  }
}

const withObus = (frame: VideoFrame, obus: readonly Obu[]): VideoFrame => ({
  ...frame,
  data: Buffer.concat(obus.map(writeObu)),
})
