import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../../../platform/base/problem.ts'
import type { Sql } from '../../../../platform/db/hand-written-sql.ts'
import type { Staging, StagedBytes } from '../staging.ts'
import {
  acquire,
  askForLease,
  isNewestEpoch,
  releaseLease,
  renewLeases,
  type StagedRow,
} from './staged-rows.ts'

/** Another node continues this long after the death of the holder. */
const leaseMs = 4_000
const renewEveryMs = 500
const askEveryMs = 100
/** Covers the lease of a dead holder, and the last part of a living one. */
const patienceMs = 30_000

export interface Lease {
  readonly bytes: StagedBytes
  /** Replaced with each change. */
  row: StagedRow
}

interface Held extends Lease {
  readonly onWanted: () => void
}

export interface Leases {
  readonly hold: Staging['hold']
  /** The lease of this process; throws without one. */
  readonly of: (name: string) => Lease
  readonly find: (name: string) => Lease | null
  /** Called when the row is deleted with the lease. */
  readonly drop: (name: string) => void
}

export const takenOver = (cause?: unknown): Problem => new Problem('upload_taken_over', {}, { cause })

/** One writer for the bytes of each upload, over all nodes. */
export const createLeases = (sql: Sql): Leases => {
  const holder = randomUUID()
  const held = new Map<string, Held>()

  const renew = async (): Promise<void> => {
    const asked = [...held.values()]
    const renewed = new Map(
      (await renewLeases(sql, [...held.keys()], { holder, leaseMs })).map((one) => [one.name, one]),
    )
    for (const lease of asked) {
      const { bytes, row, onWanted } = lease
      // The work may have ended in the meantime.
      if (held.get(bytes.name) !== lease) continue
      const found = renewed.get(bytes.name)
      // A lost lease ends like a wanted one: the database accepts no more bytes from it.
      if (found === undefined || found.epoch !== row.epoch || found.isWanted) onWanted()
    }
  }
  let isRenewing = false
  let timer: NodeJS.Timeout | null = null
  const renewOrStop = (): void => {
    if (held.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    if (isRenewing || held.size === 0) return
    isRenewing = true
    // The next call makes up for a failed one.
    renew()
      .catch(() => {})
      .finally(() => {
        isRenewing = false
      })
  }

  const obtain = async (bytes: StagedBytes): Promise<StagedRow> => {
    const deadline = performance.now() + patienceMs
    for (;;) {
      const row = await acquire(sql, bytes, { holder, leaseMs })
      if (row !== null) return row
      if (performance.now() > deadline)
        throw new Problem('upload_on_other_node', {}, { headers: { 'Retry-After': '5' } })
      await askForLease(sql, bytes.name)
      await delay(askEveryMs)
    }
  }

  return {
    hold: async (bytes, onWanted, work) => {
      const lease: Held = { bytes, row: await obtain(bytes), onWanted }
      held.set(bytes.name, lease)
      timer ??= setInterval(renewOrStop, renewEveryMs).unref()
      try {
        return await work()
      } catch (error) {
        // The successor, or a deletion of the upload, has removed parts and objects that this work needs.
        const isLost = !(error instanceof Problem) && !(await isNewestEpoch(sql, lease.row).catch(() => true))
        throw isLost ? takenOver(error) : error
      } finally {
        if (held.get(bytes.name) === lease) {
          held.delete(bytes.name)
          // A lease that cannot be released expires.
          await releaseLease(sql, bytes.name, lease.row.epoch).catch(() => {})
        }
      }
    },
    of: (name) => {
      const lease = held.get(name)
      if (lease === undefined) throw new Error(`Staged bytes ${name} are changed without a lease.`)
      return lease
    },
    find: (name) => held.get(name) ?? null,
    drop: (name) => void held.delete(name),
  }
}
