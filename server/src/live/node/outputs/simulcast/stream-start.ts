import type { AudioConfiguration, MediaMessage, VideoConfiguration } from '@zoetrope/rtmp'

type Metadata = Extract<MediaMessage, { readonly type: 'metadata' }>

export class StreamStart {
  #metadata: Metadata | null = null
  #video: VideoConfiguration | null = null
  #audio: AudioConfiguration | null = null

  receive(message: MediaMessage): void {
    if (message.type === 'metadata') this.#metadata = message
    if (message.type === 'video-configuration') this.#video = message
    if (message.type === 'audio-configuration') this.#audio = message
    if (message.type === 'video-end') this.#video = null
    if (message.type === 'audio-end') this.#audio = null
  }

  clear(): void {
    this.#metadata = this.#video = this.#audio = null
  }

  get video(): VideoConfiguration | null {
    return this.#video
  }
  get audio(): AudioConfiguration | null {
    return this.#audio
  }

  /** In the order in which encoders send them. */
  get messages(): readonly MediaMessage[] {
    return [this.#metadata, this.#video, this.#audio].filter((message) => message !== null)
  }

  /** Whether a target can begin with this frame: a key frame, or any audio frame when there is no video. */
  beginsWith(message: MediaMessage): boolean {
    return this.#video === null
      ? message.type === 'audio-frame'
      : message.type === 'video-frame' && message.isKeyFrame
  }
}
