import type { LiveReason } from '../../control/api/live-reason.ts'
import type { MediaMessage } from '@zoetrope/rtmp'

export type PublishProtocol = 'rtmp' | 'rtmps' | 'srt' | 'rtmp-pull' | 'srt-pull' | 'hls-pull'

export interface LivePublisher {
  readonly protocol: PublishProtocol
  readonly remoteAddress: string
  /** Software of the sender, as it names itself; may be empty. */
  readonly encoder: string
  /** Messages in order, for one reader. A slow reader slows the publisher down. Ends with the publish. */
  readonly messages: AsyncIterable<MediaMessage>
  readonly receivedBytes: () => number
  /** Never rejects. */
  readonly ended: Promise<LiveReason>
  /** Disconnects the publisher and sends it the reason. */
  readonly close: (reason: string) => void
}
