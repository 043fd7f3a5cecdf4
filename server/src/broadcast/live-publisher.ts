import type { MediaMessage, PublishEnd } from '@zoetrope/rtmp'

export type PublishProtocol = 'rtmp' | 'rtmps' | 'srt' | 'rtmp-pull' | 'srt-pull' | 'hls-pull'

/** Whoever sends a stream, by whatever protocol, from its acceptance to its end. */
export interface LivePublisher {
  readonly protocol: PublishProtocol
  readonly remoteAddress: string
  /** The software, in its own words; may be empty. */
  readonly encoder: string
  /** In order, for one reader. Who reads slowly slows the publisher down. Ends with the publish, whatever ends it. */
  readonly messages: AsyncIterable<MediaMessage>
  /** All bytes so far. */
  readonly receivedBytes: () => number
  /** Never rejects. */
  readonly ended: Promise<PublishEnd>
  /** Cuts the publisher off and tells it the reason. */
  readonly close: (reason: string) => void
}
