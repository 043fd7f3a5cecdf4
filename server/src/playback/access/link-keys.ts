import type { Database, Queryable } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Sealer } from '../../platform/base/secrets.ts'
import { openLinkKey, readLinkKeys } from './link-key-store.ts'

type GrantKeys = Readonly<Record<'preview' | 'viewer', Buffer>>

export interface LinkKey extends GrantKeys {
  readonly id: number
  readonly activeFromMs: number
  readonly endsAtMs: number
}

/** Keys of playout links and the revoked links, as this process knows them. */
export interface LinkKeys {
  /** Signs new links. */
  readonly current: () => LinkKey
  /** Null for an unknown key and for one that has ended. */
  readonly find: (id: number) => LinkKey | null
  readonly all: () => readonly LinkKey[]
  readonly isRevoked: (tokenId: string) => boolean
  /** Applies a revocation in this process at once. */
  readonly addRevoked: (tokenId: string, dropAt: Date) => void
  readonly refresh: () => Promise<void>
  /** Follows changes until `stop`. */
  readonly follow: () => void
  readonly stop: () => void
}

/** The API promises that a revoked link stops within two seconds. */
const refreshMs = 1_000
/** A transaction can commit after another one with a later timestamp. */
const overlapMs = 60_000

const readRevoked = (queryable: Queryable, since: Date) =>
  queryable
    .selectFrom('revoked_links')
    .select(['token_id', 'revoked_at', 'drop_at'])
    .where('revoked_at', '>', since)
    .where('drop_at', '>', new Date())
    .execute()

/** Reads both tables once a second, so that checks of tokens need no query. */
export const loadLinkKeys = async (
  database: Database,
  sealer: Sealer<'liveNodes'>,
  log: Log,
): Promise<LinkKeys> => {
  let keys = new Map<number, LinkKey>()
  const revoked = new Map<string, number>()
  let readUntilMs = 0
  let timer: NodeJS.Timeout | undefined

  const refreshKeys = async (): Promise<void> => {
    const rows = await readLinkKeys(database.kysely)
    keys = new Map(
      rows.map((row) => {
        const known = keys.get(row.id)
        const secret = known ?? openLinkKey(sealer, row.sealed_keys)
        return [
          row.id,
          {
            id: row.id,
            preview: secret.preview,
            viewer: secret.viewer,
            activeFromMs: row.active_from.getTime(),
            endsAtMs: row.ends_at?.getTime() ?? Infinity,
          },
        ]
      }),
    )
  }
  const refreshRevoked = async (): Promise<void> => {
    const rows = await readRevoked(database.kysely, new Date(Math.max(0, readUntilMs - overlapMs)))
    for (const row of rows) {
      revoked.set(row.token_id, row.drop_at.getTime())
      readUntilMs = Math.max(readUntilMs, row.revoked_at.getTime())
    }
    const nowMs = Date.now()
    for (const [tokenId, dropAtMs] of revoked) {
      // In the order of insertion, which is nearly that of the ends.
      if (dropAtMs > nowMs) break
      revoked.delete(tokenId)
    }
  }
  const refresh = async (): Promise<void> => {
    await Promise.all([refreshKeys(), refreshRevoked()])
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      refresh()
        .catch((error: unknown) => log.warn({ err: error }, 'cannot read the keys of playout links'))
        .finally(() => {
          if (timer !== undefined) schedule()
        })
    }, refreshMs).unref()
  }
  const isEnded = ({ endsAtMs }: LinkKey): boolean => endsAtMs <= Date.now()

  await refresh()
  return {
    current: () => {
      const nowMs = Date.now()
      const [latest] = [...keys.values()]
        .filter((key) => key.activeFromMs <= nowMs && !isEnded(key))
        .toSorted((one, other) => other.id - one.id)
      if (latest === undefined) throw new Error('no key signs playout links')
      return latest
    },
    find: (id) => {
      const key = keys.get(id)
      return key === undefined || isEnded(key) ? null : key
    },
    all: () => [...keys.values()].filter((key) => !isEnded(key)),
    isRevoked: (tokenId) => revoked.size > 0 && revoked.has(tokenId),
    addRevoked: (tokenId, dropAt) => revoked.set(tokenId, dropAt.getTime()),
    refresh,
    follow: schedule,
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
