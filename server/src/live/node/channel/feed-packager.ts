import { IsobmffError } from '@zoetrope/isobmff'
import type { LivePackager, LiveVideoCodec } from '@zoetrope/ll-hls'
import type { MediaMessage, VideoCodec } from '@zoetrope/rtmp'

/** The media cannot be shown. The message is for the owner of the encoder. */
export class UnsupportedMediaError extends Error {}

/** Passes a message to the packager. Throws UnsupportedMediaError. */
export const feedPackager = (packager: LivePackager, message: MediaMessage): void => {
  switch (message.type) {
    case 'video-configuration':
      return configure(message.codec, () => packager.setVideo(takenVideo(message.codec), message.data))
    case 'audio-configuration':
      return configure(message.codec, () => packager.setAudio(message.codec, message.data))
    case 'video-frame': {
      const { timestampMs, compositionTimeMs, isKeyFrame, data } = message
      return packager.addVideo({ decodeMs: timestampMs, compositionMs: compositionTimeMs, isKeyFrame, data })
    }
    case 'audio-frame':
      return packager.addAudio(message)
    case 'audio-end':
    case 'color-info':
    case 'data':
    case 'metadata':
    case 'video-end':
    case 'warning':
  }
}

const takenVideo = (codec: VideoCodec): LiveVideoCodec => {
  if (codec !== 'vp09') return codec
  throw new UnsupportedMediaError(
    'The video codec is VP9, which is not supported. Set the encoder to H.264, HEVC or AV1.',
  )
}

const configure = (codec: string, set: () => void): void => {
  try {
    set()
  } catch (error) {
    if (!(error instanceof IsobmffError)) throw error
    throw new UnsupportedMediaError(`The encoder's configuration (${codec}) cannot be read: ${error.message}`)
  }
}
