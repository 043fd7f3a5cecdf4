import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { logFailures } from '../../../../platform/log/log-failures.ts'
import { isPassingError } from '../../../../platform/db/driver/is-passing-error.ts'
import type { Journal } from './journal.ts'

export interface JournalOwner {
  readonly broadcastId: number
  readonly epoch: number
}

export interface DatabaseJournals {
  readonly open: (owner: JournalOwner) => Journal
  /** Writes what is waiting. */
  readonly stop: () => Promise<void>
}

const flushMs = 250
/** While the database is unavailable; the node that continues sees the age of the newest line. */
const mostWaiting = 2_000

interface Waiting {
  readonly broadcast_id: number
  readonly epoch: number
  readonly block: number
  lines: string
}

interface Dropped {
  readonly broadcast_id: number
  readonly epoch: number
  /** Null for all blocks. */
  readonly block: number | null
}

/** The journals of all broadcasts of a node: one statement every quarter of a second, apart from the frames. */
export const createDatabaseJournals = (options: {
  readonly database: Database
  readonly nodeId: string
  readonly log: Log
}): DatabaseJournals => {
  const { database, nodeId, log } = options
  const stopping = new AbortController()
  let waiting: Waiting[] = []
  let dropped: Dropped[] = []

  // The conditions on epoch and node stop a node that has lost the stream.
  const insert = (rows: readonly Waiting[]): Promise<unknown> =>
    sql`
      insert into live_journal (account_id, broadcast_id, block, lines)
      select s.account_id, j.broadcast_id, j.block, j.lines
      from jsonb_to_recordset(${JSON.stringify(rows.map((row, position) => ({ ...row, position })))}::jsonb)
        as j (broadcast_id bigint, epoch bigint, block bigint, lines text, position int)
      join live_streams s on s.broadcast_id = j.broadcast_id and s.epoch = j.epoch and s.node_id = ${nodeId}
      order by j.position`.execute(database.kysely)

  const remove = (blocks: readonly Dropped[]): Promise<unknown> =>
    sql`
      delete from live_journal
      using jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb) as d (broadcast_id bigint, epoch bigint, block bigint)
      join live_streams s on s.broadcast_id = d.broadcast_id and s.epoch = d.epoch and s.node_id = ${nodeId}
      where live_journal.broadcast_id = d.broadcast_id
        and live_journal.block = coalesce(d.block, live_journal.block)`.execute(database.kysely)

  const write = async (): Promise<void> => {
    const [rows, blocks] = [waiting, dropped]
    waiting = []
    dropped = []
    try {
      if (blocks.length > 0) await remove(blocks)
      blocks.length = 0
      if (rows.length > 0) await insert(rows)
    } catch (error) {
      if (isPassingError(error)) {
        waiting = [...rows, ...waiting].slice(0, mostWaiting)
        dropped = [...blocks, ...dropped]
      }
      throw error
    }
  }

  let lastWrite = Promise.resolve()
  /** A write that has begun must end first: lines are stored in order. */
  const flush = (): Promise<void> => (lastWrite = lastWrite.catch(() => {}).then(write))

  const tryToFlush = logFailures(log, 'cannot write the journal of live streams', flush)
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await tryToFlush()
      await delay(flushMs, null, { signal: stopping.signal }).catch(() => {})
    }
    await flush().catch(() => {})
  }
  const running = run()

  return {
    open: ({ broadcastId: broadcast_id, epoch }) => ({
      append: (block, line) => {
        const last = waiting.findLast((one) => one.broadcast_id === broadcast_id)
        if (last?.block === block && last.epoch === epoch) last.lines += `\n${line}`
        else if (waiting.length < mostWaiting) waiting.push({ broadcast_id, epoch, block, lines: line })
      },
      flush,
      dropBlock: (block) => void dropped.push({ broadcast_id, epoch, block }),
      dropAll: async () => {
        waiting = waiting.filter((one) => one.broadcast_id !== broadcast_id)
        await remove([{ broadcast_id, epoch, block: null }])
      },
      read: () =>
        database.kysely
          .selectFrom('live_journal')
          .select(['block', 'lines'])
          .where('broadcast_id', '=', broadcast_id)
          .orderBy('id')
          .execute(),
    }),
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
