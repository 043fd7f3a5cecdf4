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
import { UnsupportedMediaError } from './feed-packager.ts'

/** AV1 codec ISO media file format binding, 2.4: what a sample is better off without, or must not hold. */
const leftOut = new Set<number>([obuTypes.temporalDelimiter, obuTypes.tileList, obuTypes.padding])

/**
 * Makes of the AV1 of one publisher what MP4 holds, and passes on all else: configurations with a sequence header, whose other fields agree with it,
 * and key frames that begin with it. Encoders may send it in one of the two places only, or another one in the middle. Throws UnsupportedMediaError.
 */
export class Av1Messages {
  /** The one that holds. */
  #header: Obu | undefined

  read(message: MediaMessage): MediaMessage[] {
    try {
      if (message.type === 'video-configuration') return this.#readConfiguration(message)
      if (message.type !== 'video-frame' || message.codec !== 'av01') return [message]
      return this.#readFrame(message)
    } catch (error) {
      if (!(error instanceof IsobmffError)) throw error
      throw new UnsupportedMediaError(`The AV1 that the encoder sends cannot be read: ${error.message}`)
    }
  }

  #readConfiguration(message: VideoConfiguration): MediaMessage[] {
    this.#header = undefined
    if (message.codec !== 'av01') return [message]
    const obus = readAv1ConfigurationObus(message.data)
    this.#header = findSequenceHeader(obus)
    // Without a header it says nothing that the first key frame does not.
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
      if (this.#header === undefined) throw new IsobmffError('malformed', 'There is no AV1 sequence header.')
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
