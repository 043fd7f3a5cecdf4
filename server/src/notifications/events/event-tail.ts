import { setTimeout as delay } from 'node:timers/promises'
import { Histogram } from 'prom-client'
import { runForAllAccounts } from '../../platform/db/account-scope.ts'
import type { Database } from '../../platform/db/database.ts'
import type { StoredEvent } from '../../platform/outbox/domain-event.ts'
import type { Log } from '../../platform/log/log.ts'
import { readEventsOfAccounts, readHorizon } from './event-log.ts'

type Listener = (events: readonly StoredEvent[]) => void

export interface TailMembership {
  /** Position after which the listener receives every event; null when it left before joining. */
  readonly joinedAt: Promise<number | null>
  readonly leave: () => void
}

export interface EventTail {
  readonly join: (accountId: number, listener: Listener) => TailMembership
  readonly stop: () => Promise<void>
}

const lag = new Histogram({
  name: 'zoetrope_event_stream_lag_seconds',
  help: 'Time from the oldest new event until a process reads it for its event streams.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
})

const pollMs = 250
const pauseAfterErrorMs = 1_000
const maxRead = 1_000

interface Member {
  readonly accountId: number
  readonly listener: Listener
  readonly resolve: (position: number | null) => void
}

/** Creates a tail that polls only while it has members. */
export const createEventTail = ({ kysely }: Database, log: Log): EventTail => {
  const members = new Set<Member>()
  const joining = new Set<Member>()
  const stopping = new AbortController()
  let position = 0
  let running: Promise<void> | null = null

  /** Admits members between two reads, so that they neither miss an event nor receive one twice. */
  const admit = (settledId: number): void => {
    if (members.size === 0) position = settledId
    for (const member of joining) {
      members.add(member)
      member.resolve(position)
    }
    joining.clear()
  }

  const poll = async (): Promise<void> => {
    const { settledId } = await readHorizon(kysely)
    admit(settledId)
    while (position < settledId && members.size > 0) {
      const readers = [...members]
      const accountIds = [...new Set(readers.map(({ accountId }) => accountId))]
      const range = { after: position, upTo: settledId }
      const events = await readEventsOfAccounts(kysely, accountIds, range, maxRead)
      const [oldest] = events
      if (oldest !== undefined) lag.observe(Math.max(0, (Date.now() - oldest.occurredAt.getTime()) / 1000))
      position = events.length < maxRead ? settledId : (events.at(-1)?.id ?? settledId)
      const byAccount = Map.groupBy(events, ({ accountId }) => accountId)
      for (const member of readers) {
        const ofAccount = byAccount.get(member.accountId)
        if (ofAccount !== undefined && members.has(member)) member.listener(ofAccount)
      }
    }
  }

  const run = async (): Promise<void> => {
    let hasFailed = false
    while (members.size + joining.size > 0) {
      try {
        await poll()
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.error({ err: error }, 'cannot read the event log for event streams')
        hasFailed = true
      }
      const pauseMs = hasFailed ? pauseAfterErrorMs : joining.size > 0 ? 0 : pollMs
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    running = null
  }

  return {
    join: (accountId, listener) => {
      const { promise, resolve } = Promise.withResolvers<number | null>()
      const member = { accountId, listener, resolve }
      if (stopping.signal.aborted) resolve(null)
      else joining.add(member)
      running ??= runForAllAccounts(run)
      return {
        joinedAt: promise,
        leave: () => {
          members.delete(member)
          joining.delete(member)
          resolve(null)
        },
      }
    },
    stop: async () => {
      for (const { resolve } of joining) resolve(null)
      members.clear()
      joining.clear()
      stopping.abort()
      await running
    },
  }
}
