import type { AudioConfiguration, MediaMessage, VideoConfiguration } from '../messages/media-message.ts'
import type { RtmpErrorCode } from '../wire/rtmp-error.ts'

/** Identity of a publisher. The stream key is a secret. */
export interface Publisher {
  /** Unique id, shared by a request and the publish that follows it. */
  readonly id: symbol
  readonly app: string
  readonly streamKey: string
  /** Query parameters after `?` in the application and the key. */
  readonly query: URLSearchParams
  readonly remoteAddress: string
  readonly encoder: string
}

export interface PublishRequest extends Publisher {
  /** Aborts when the connection breaks or the publish deadline passes. */
  readonly signal: AbortSignal
}

export type Authorization = { readonly accept: true } | { readonly refuse: string }

/**
 * Reason for the end of a publish or a connection:
 * - `unpublished`: the encoder ended the publish
 * - `left`, `lost`: the encoder closed the connection; the connection broke
 * - `timed_out`: the handshake, the publish or the next frame did not arrive in time
 * - `closed`: this side ended it
 * - `server_failed`: this side failed, and `onError` received the error
 * - other codes: an error of the publisher, see `RtmpErrorCode`
 */
export type PublishEndCode =
  | 'unpublished'
  | 'left'
  | 'lost'
  | 'timed_out'
  | 'closed'
  | 'server_failed'
  | RtmpErrorCode

export interface PublishEnd {
  readonly code: PublishEndCode
  /** A readable sentence without secrets. */
  readonly message: string
}

export interface PublishSession extends Publisher {
  /**
   * Messages from the encoder in order, for a single reader. A slow reader slows down the encoder. Ends with
   * the publish for any reason.
   */
  readonly messages: AsyncIterable<MediaMessage>
  /** Configurations that apply to the most recently received frames. */
  readonly configurations: () => {
    readonly video: VideoConfiguration | null
    readonly audio: AudioConfiguration | null
  }
  /** Total bytes received on the connection. */
  readonly receivedBytes: () => number
  /** Never rejects. */
  readonly ended: Promise<PublishEnd>
  /** Disconnects the publisher and sends the reason. */
  readonly close: (reason: string) => void
}
