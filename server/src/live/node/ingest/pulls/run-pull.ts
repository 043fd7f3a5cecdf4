import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '@zoetrope/vocabulary'
import { newMessage } from '../../../../platform/base/message.ts'
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'
import type { Admissions } from '../admission/admit-publisher.ts'
import { createBackOff } from '../../connections/back-off.ts'
import { openByItsMedia } from '../sources/reading.ts'
import { SourceError } from '../sources/source-error.ts'
import type { LogToStream } from '../sources/source-log.ts'
import { openHlsPull } from './hls-pull.ts'
import type { OpenPull, PullDoors, PullKind } from './open-pull.ts'
import { openRtmpPull } from './rtmp-pull.ts'
import { openSrtPull } from './srt-pull.ts'

const openers: Readonly<Record<PullKind, OpenPull>> = {
  'rtmp-pull': openRtmpPull,
  'srt-pull': openSrtPull,
  'hls-pull': openHlsPull,
}

export interface PullOptions {
  readonly stream: LiveStreamRow
  readonly kind: PullKind
  readonly uri: string
  readonly doors: PullDoors
  readonly admissions: Pick<Admissions, 'toProject'>
  readonly logToStream: LogToStream
  /** Leaves the stream to another node; `signal` aborts soon after. */
  readonly release: () => Promise<void>
  readonly onError: (error: unknown) => void
}

const backOffMs = { first: 1_000, longest: 30_000 }

/**
 * Pulls a stream, and reconnects when it breaks off, until `signal` aborts. Resolves when all its work has
 * ended.
 */
export const runPull = async (options: PullOptions, signal: AbortSignal): Promise<void> => {
  const { stream, uri, doors, logToStream } = options
  const backOff = createBackOff(backOffMs.first, backOffMs.longest)
  while (!signal.aborted) {
    try {
      const publisher = await openByItsMedia((reading) =>
        openers[options.kind](doors, { uri, reading, signal }),
      )
      const beganAtMs = performance.now()
      const { remoteAddress, encoder } = publisher
      const admission = await options.admissions.toProject(stream.project_id, options.kind, {
        remoteAddress,
        encoder,
      })
      if ('refuse' in admission) {
        publisher.close(admission.refuse)
        if (admission.code === 'node_full' || admission.code === 'account_full') await options.release()
      } else await admission.broadcast.take(publisher)
      await publisher.ended
      backOff.held(performance.now() - beganAtMs)
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof SourceError || error instanceof OutboundError)
        logToStream(stream, 'pull_failed', newMessage('live_pull_failed', { cause: messageOf(error) }))
      else options.onError(error)
    }
    await delay(backOff.failed(), null, { signal }).catch(() => {})
  }
}
