import type { AudioConfiguration, MediaMessage, VideoConfiguration } from './media-message.ts'
import type { RtmpErrorCode } from './rtmp-error.ts'

/** Who publishes what. The stream key is a secret. */
export interface Publisher {
  /** The same in a request and in the publish that comes of it, and in no other. */
  readonly id: symbol
  readonly app: string
  readonly streamKey: string
  /** What followed `?` behind the application and the key. */
  readonly query: URLSearchParams
  readonly remoteAddress: string
  /** The software, in its own words; may be empty. */
  readonly encoder: string
}

export interface PublishRequest extends Publisher {
  /** Aborts when the connection breaks or the time to publish is over. */
  readonly signal: AbortSignal
}

export type Authorization = { readonly accept: true } | { readonly refuse: string }

/**
 * Why a publish or a connection ended:
 * - `unpublished`: the encoder said so
 * - `left`, `lost`: it closed the connection; the connection broke
 * - `timed_out`: handshake, publish or the next frame did not come in time
 * - `closed`: our side ended it
 * - `server_failed`: our side failed; `onError` has heard why
 * - the others: what the publisher did wrong
 */
export type PublishEndCode =
  'unpublished' | 'left' | 'lost' | 'timed_out' | 'closed' | 'server_failed' | RtmpErrorCode

export interface PublishEnd {
  readonly code: PublishEndCode
  /** A sentence for people. Names no secrets. */
  readonly message: string
}

/** One publish, from its acceptance to its end. */
export interface PublishSession extends Publisher {
  /** What the encoder sends, in order, for one reader. Who reads slowly slows the encoder down. Ends with the publish, whatever ends it. */
  readonly messages: AsyncIterable<MediaMessage>
  /** The configurations that hold for the frames last received. */
  readonly configurations: () => {
    readonly video: VideoConfiguration | null
    readonly audio: AudioConfiguration | null
  }
  /** All bytes of the connection so far. */
  readonly receivedBytes: () => number
  /** Never rejects. */
  readonly ended: Promise<PublishEnd>
  /** Cuts the publisher off and tells it the reason. */
  readonly close: (reason: string) => void
}
