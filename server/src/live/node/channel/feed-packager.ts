import type { Message, MessageParams } from '@zoetrope/vocabulary'
import { IsobmffError } from '@zoetrope/isobmff'
import type { LivePackager, LiveVideoCodec } from '@zoetrope/ll-hls'
import type { MediaMessage, VideoCodec } from '@zoetrope/rtmp'
import { newMessage } from '../../../platform/base/message.ts'

/** The media cannot be shown. The message is for the owner of the encoder. */
export class UnsupportedMediaError extends Error {
  readonly reason: string
  readonly params: MessageParams

  constructor({ reason, params, text }: Message) {
    super(text)
    this.reason = reason
    this.params = params
  }
}

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
  throw new UnsupportedMediaError(newMessage('live_codec_not_supported'))
}

const configure = (codec: string, set: () => void): void => {
  try {
    set()
  } catch (error) {
    if (!(error instanceof IsobmffError)) throw error
    throw new UnsupportedMediaError(
      newMessage('live_configuration_unreadable', { codec, detail: error.message }),
    )
  }
}
