import type { LivePublisher, PublishProtocol } from '../../channel/live-publisher.ts'
import type { AllowedAddresses } from '../../../../platform/outbound/allowed-addresses.ts'
import type { GuardedAgent } from '../../../../platform/outbound/guarded-agent.ts'
import type { Dial } from '../../../../platform/outbound/guarded-dialler.ts'
import type { Reading } from '../sources/reading.ts'

export type PullKind = Extract<PublishProtocol, 'rtmp-pull' | 'srt-pull' | 'hls-pull'>

/** Guarded outbound connections for pulls. */
export interface PullDoors {
  readonly dial: Dial
  readonly allowedAddresses: AllowedAddresses
  readonly agent: GuardedAgent
  readonly workFolder: string
}

export interface PullRequest {
  readonly uri: string
  readonly reading: Reading
  readonly signal: AbortSignal
}

/** Resolves with the first frame. Throws SourceError or OutboundError. */
export type OpenPull = (doors: PullDoors, request: PullRequest) => Promise<LivePublisher>
