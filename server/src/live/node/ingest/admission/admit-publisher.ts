import { setTimeout as delay } from 'node:timers/promises'
import { newMessage } from '../../../../platform/base/message.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { createThrottle } from '../../../../platform/base/throttle.ts'
import type { StoreOptions } from '../../cluster/broadcast-store.ts'
import { claimStream, isOtherOwner, stillLetsIn, type Claimant } from '../../cluster/claim-stream.ts'
import { createFailingPublishers } from './failing-publishers.ts'
import type { Broadcast } from '../../broadcast/broadcast.ts'
import type { Broadcasts } from '../../broadcast/broadcasts.ts'
import { readStream, readStreamByKey, type OwnedStream } from '../../cluster/owned-stream.ts'
import { createRefusals, type RefusalCode } from './refusals.ts'

export type Admission =
  /** The caller must follow with `take` or `cancelAdmission` on the broadcast. */
  { readonly broadcast: Broadcast } | { readonly refuse: string; readonly code?: RefusalCode }

export interface Admissions {
  readonly byKey: (streamKey: string, claimant: Claimant) => Promise<Admission>
  readonly toProject: (projectId: number, kind: OwnedStream['kind'], claimant: Claimant) => Promise<Admission>
  /** While true, the rows of the stream may be ahead of its broadcast. */
  readonly isClaiming: (projectId: number) => boolean
  readonly close: () => void
}

export interface AdmissionOptions extends StoreOptions {
  readonly broadcasts: Broadcasts
  readonly maxStreams: number
  /** 0 = no limit. */
  readonly maxStreamsPerAccount: number
  /** Returns whether another live node is dead. It may take until the lease of that node ends. */
  readonly isLost: (otherId: string) => Promise<boolean>
  /** Whether the lease of this node is current: its last heartbeat has reached the database in time. */
  readonly hasLease: () => boolean
  readonly log: Log
  readonly now: () => number
}

/** Encoders wait about this long for an answer. */
const databasePatienceMs = 5_000
const unknownKeyEveryMs = 60_000
/** Message to a publisher whose connection was replaced. */
export const replacedBy = newMessage('live_replaced')
const notNow = 'The server cannot look up the stream key just now; try again.'
const stillEnding = 'The previous broadcast is still ending. Try again.'
const closing = 'The server is restarting. Connect again.'
const otherKind = 'The type of the stream has changed.'
const unknownKey = 'No live stream has this key.'

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const cancel = new AbortController()
  const late = delay(databasePatienceMs, null, { signal: cancel.signal }).then(() => {
    throw new Error(`no answer within ${databasePatienceMs} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel.abort()
    late.catch(() => {})
  }
}

/** The end of a broadcast must be in the database before the next one begins. */
const isOverInTime = (broadcast: Broadcast): Promise<boolean> =>
  inTime(broadcast.done).then(
    () => true,
    () => false,
  )

export const createAdmissions = (options: AdmissionOptions): Admissions => {
  const { database, broadcasts, log } = options
  const claiming = new Set<number>()
  /** Accounts of the projects whose broadcasts are being opened. */
  const opening = new Map<number, number>()
  let isClosed = false
  const mayLog = createThrottle(unknownKeyEveryMs)
  const refuse = createRefusals(options)
  const failing = createFailingPublishers(options.now)

  /** A broadcast that waits for its publisher on this node needs no row change: incoming media resumes it. */
  const admitBack = (broadcast: Broadcast, stream: OwnedStream, claimant: Claimant): Admission => {
    if (!stillLetsIn(stream, broadcast.stream)) return refuse(stream, 'changed', claimant)
    broadcast.expect()
    return { broadcast }
  }

  const whyFull = (accountId: number): 'node_full' | 'account_full' | null => {
    const present = broadcasts.all().map(({ stream }) => [stream.project_id, stream.account_id] as const)
    const accounts = [...new Map([...present, ...opening]).values()]
    if (accounts.length >= options.maxStreams) return 'node_full'
    const most = options.maxStreamsPerAccount
    return most > 0 && accounts.filter((id) => id === accountId).length >= most ? 'account_full' : null
  }

  const claim = async (stream: OwnedStream, claimant: Claimant): Promise<Admission> => {
    // Without a lease, another node may take over the streams of this node, including this one.
    if (!options.hasLease()) return { refuse: notNow }
    const full = whyFull(stream.account_id)
    if (full !== null) return refuse(stream, full, claimant)
    opening.set(stream.project_id, stream.account_id)
    try {
      return await open(stream, claimant)
    } finally {
      opening.delete(stream.project_id)
    }
  }

  const open = async (stream: OwnedStream, claimant: Claimant): Promise<Admission> => {
    let claimed = await claimStream(options, stream, claimant)
    // The publisher of a node that has just died comes back before the lease of that node ends.
    if (isOtherOwner(claimed) && (await options.isLost(claimed.ownerId)))
      claimed = await claimStream(options, stream, claimant, claimed.ownerId)
    if (isOtherOwner(claimed)) return refuse(stream, 'second_publisher', claimant)
    if (claimed === 'changed') return refuse(stream, claimed, claimant)
    const broadcast = await broadcasts.open(claimed)
    void broadcast.done.then(() => failing.record(stream.project_id, broadcast.failure))
    broadcast.expect()
    return { broadcast }
  }

  const admit = async (stream: OwnedStream, claimant: Claimant): Promise<Admission> => {
    const projectId = stream.project_id
    if (!stream.is_wanted) return refuse(stream, 'disabled', claimant)
    if (claiming.has(projectId)) return refuse(stream, 'second_publisher', claimant)
    claiming.add(projectId)
    try {
      const present = broadcasts.of(projectId)
      // The stream may have been read before the present broadcast was claimed.
      if (present !== undefined && stream.epoch >= present.epoch && !present.isOwner(stream))
        present.yieldToOwner()
      present?.apply(stream)
      if ((await present?.isAbandoned()) === true) present?.cut(replacedBy)
      if (present?.isTaken() === true) return refuse(stream, 'second_publisher', claimant)
      if (present?.state === 'reconnecting') return admitBack(present, stream, claimant)
      if (present !== undefined && !(await isOverInTime(present))) return { refuse: stillEnding }
      const failure = failing.refusalOf(projectId)
      // The failed broadcast has already notified its owner.
      if (failure !== null) return { refuse: failure }
      return await claim(stream, claimant)
    } finally {
      claiming.delete(projectId)
    }
  }

  const guarded = async (work: () => Promise<Admission>): Promise<Admission> => {
    if (isClosed) return { refuse: closing }
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'refused a publisher: the database does not respond')
      return { refuse: notNow }
    }
  }

  return {
    byKey: (streamKey, claimant) =>
      guarded(async () => {
        const stream = await inTime(readStreamByKey(database.kysely, streamKey)).catch((error: unknown) => {
          // A waiting broadcast can resume even while the database is unreachable.
          const waiting = broadcasts.all().find((broadcast) => broadcast.isWaitingFor(streamKey))
          if (waiting === undefined) throw error
          return waiting.stream
        })
        if (stream === undefined) {
          if (mayLog(0))
            log.info({ remoteAddress: claimant.remoteAddress }, 'publishers with unknown stream keys')
          return { refuse: unknownKey }
        }
        if (stream.current_kind !== 'rtmp') return refuse(stream, 'wrong_kind', claimant)
        return admit(stream, claimant)
      }),
    toProject: (projectId, kind, claimant) =>
      guarded(async () => {
        const stream = await inTime(readStream(database.kysely, projectId))
        if (stream === undefined) return { refuse: 'There is no such live stream.' }
        // The caller looked up the type before the change, and finds it again by itself.
        if (stream.current_kind !== kind) return { refuse: otherKind }
        return admit(stream, claimant)
      }),
    isClaiming: (projectId) => claiming.has(projectId),
    close: () => {
      isClosed = true
    },
  }
}
