import type { Message } from '@zoetrope/vocabulary'
import type { Log } from '../../../platform/log/log.ts'
import { liveReason, type LiveReason } from '../../control/api/live-reason.ts'
import type { LivePublisher } from '../channel/live-publisher.ts'
import type { BroadcastKey, BroadcastStore } from '../cluster/broadcast-store.ts'
import type { EndCode } from '../cluster/end-code.ts'
import { createDatabaseQueue } from './database-queue.ts'

/** `journaled` resolves when another node could continue the broadcast from all of its segments. */
export const createBroadcastRows = (
  store: BroadcastStore,
  key: BroadcastKey,
  journaled: () => Promise<void>,
  log: Log,
) => {
  const queue = createDatabaseQueue(log)
  return {
    markOnline: () => queue.add(() => store.markOnline(key)),
    /** Another node may take over as soon as the row says it, so the journal must be complete. */
    markAway: (reason: LiveReason) =>
      queue.add(async () => {
        await journaled()
        await store.markAway(key, reason)
      }),
    markBack: (publisher: LivePublisher | null) =>
      queue.add(() =>
        store.markBack(key, {
          address: publisher?.remoteAddress ?? '',
          encoder: publisher?.encoder ?? '',
        }),
      ),
    markEnded: (code: EndCode, message: Message) =>
      queue.add(() => store.markEnded(key, liveReason(code, message))),
    markFailed: (reason: LiveReason) => queue.add(() => store.markFailed(key, reason)),
    markApplied: (version: number) => queue.add(() => store.markApplied(key, version)),
    warn: (warning: LiveReason) => queue.addIfRoom(() => store.warn(key, warning)),
    settled: queue.settled,
    stopRetrying: queue.stopRetrying,
  }
}

export type BroadcastRows = ReturnType<typeof createBroadcastRows>
