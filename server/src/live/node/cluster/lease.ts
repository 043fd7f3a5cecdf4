import type { NodeReply } from './ask-node.ts'
import { heartbeatMs, leaseSeconds, type OtherNode } from './node-row.ts'
import { cutOffAfterSeconds } from './recover-broadcasts.ts'

/** Two heartbeats are missing, and the lease has not ended yet. */
const suspectAfterMs = 2 * heartbeatMs

/** The lease of this node by its own clock. The database, and so the other nodes, may be out of reach. */
export interface Lease {
  /** `askedAtMs` is the time before the heartbeat, by the clock `now`. */
  readonly renew: (askedAtMs: number) => void
  /** Asks the other nodes when heartbeats are missing. Must be called every heartbeat. */
  readonly check: () => Promise<void>
  readonly isCurrent: () => boolean
  /** Whether another node may own the streams by now. Then this one must not send playlists. */
  readonly mayBeLost: () => boolean
}

export const createLease = (options: {
  /** The other nodes, when the database last answered. */
  readonly others: () => readonly OtherNode[]
  readonly ask: (other: OtherNode) => Promise<NodeReply>
  /** A clock that is never set. */
  readonly now: () => number
}): Lease => {
  const { others, ask, now } = options
  let renewedAtMs = now()
  let confirmedAtMs = -Infinity

  const isYoung = (atMs: number): boolean => now() - atMs < leaseSeconds * 1_000
  const isSure = (): boolean => isYoung(renewedAtMs) || isYoung(confirmedAtMs)
  /**
   * A node that reaches this one takes over only if both this node is cut off for long and it has a lease itself.
   * It may have taken over before, while it did not reach this one.
   */
  const leavesStreams = ({ isThere, hasLease }: NodeReply, wasSure: boolean): boolean => {
    const isLongCutOff = now() - renewedAtMs > cutOffAfterSeconds * 1_000
    return isThere !== null && !(hasLease && (isLongCutOff || !wasSure))
  }

  return {
    renew: (askedAtMs) => {
      renewedAtMs = askedAtMs
    },
    check: async () => {
      if (now() - renewedAtMs < suspectAfterMs) return
      const [askedAtMs, wasSure] = [now(), isSure()]
      const replies = await Promise.all(others().map(ask))
      if (replies.every((reply) => leavesStreams(reply, wasSure))) confirmedAtMs = askedAtMs
    },
    isCurrent: () => isYoung(renewedAtMs),
    mayBeLost: () => others().length > 0 && !isSure(),
  }
}
