import { LRUCache } from 'lru-cache'
import { encodeCursor, renderList, type ListedRecord, type Page } from '../http/paging.ts'
import type { Database } from '../kernel/db/database.ts'
import { createCoalescer } from '../kernel/db/coalesce.ts'

interface RecordOwner {
  readonly accountId: number
  readonly projectId: number
}

type OwnedRecord = ListedRecord & RecordOwner

/** A page of the list as it is sent. */
export interface RenderedPage {
  readonly body: Buffer
  readonly etag: string
}

/**
 * Hot reads: ready-made records as raw buffers, never parsed here. Point reads that arrive in one turn of the event loop become one
 * `id = any(…)`: the round trip, not the row, is what costs.
 */
export interface FileReads {
  readonly one: (fileId: number, owner: RecordOwner) => Promise<ListedRecord | null>
  /** Newest first; null when the project does not exist. */
  readonly list: (owner: RecordOwner, page: Page) => Promise<RenderedPage | null>
}

const numberOf = (bytes: Buffer | undefined): number => Number(bytes?.toString('latin1'))

/** Some thousand pages of fifty records. */
const maxPageBytes = 128 * 1024 * 1024

export const createFileReads = ({ sql }: Database): FileReads => {
  const load = createCoalescer<number, OwnedRecord>(async (ids) => {
    const rows = await sql`
      select id, account_id, project_id, version, record from media_files
      where id = any(${ids}::bigint[]) and deleted_at is null`.raw()
    return new Map(
      rows.map(([id, accountId, projectId, version, record]) => [
        numberOf(id),
        {
          id: numberOf(id),
          accountId: numberOf(accountId),
          projectId: numberOf(projectId),
          version: numberOf(version),
          record: record as Buffer,
        },
      ]),
    )
  })

  /** How many files there are, and which versions of which records stand on the page: cheap, and always asked of the database. */
  const readOutline = async (
    { accountId, projectId }: RecordOwner,
    page: Page,
  ): Promise<{ totalCount: number; versions: string } | null> => {
    const [row] = await sql`
      select p.file_count, (
        select coalesce(string_agg(f.id || '.' || f.version, ',' order by f.id ${sql.unsafe(page.sort)}), '')
        from (
          select id, version from media_files
          where project_id = p.id and deleted_at is null
            and ${page.after === null ? sql`true` : page.sort === 'desc' ? sql`id < ${page.after.id}` : sql`id > ${page.after.id}`}
          order by id ${sql.unsafe(page.sort)} limit ${page.limit + 1} offset ${page.offset}
        ) f
      )
      from projects p
      where p.id = ${projectId} and p.account_id = ${accountId} and p.deleted_at is null`.raw()
    if (row === undefined) return null
    return { totalCount: numberOf(row[0]), versions: row[1]?.toString('latin1') ?? '' }
  }

  const readRecords = async (versions: string): Promise<ListedRecord[]> => {
    if (versions === '') return []
    const ids = versions.split(',').map((one) => Number(one.split('.', 1)[0]))
    const found = await Promise.all(ids.map((id) => load(id)))
    return found.filter((record) => record !== null)
  }

  const versionsOf = (records: readonly ListedRecord[]): string =>
    records.map(({ id, version }) => `${id}.${version}`).join(',')

  const pages = new LRUCache<string, RenderedPage>({
    maxSize: maxPageBytes,
    sizeCalculation: ({ body }) => body.length,
  })

  return {
    one: async (fileId, { accountId, projectId }) => {
      const found = await load(fileId)
      return found?.accountId === accountId && found.projectId === projectId ? found : null
    },
    list: async (owner, page) => {
      const outline = await readOutline(owner, page)
      if (outline === null) return null
      const { totalCount, versions } = outline
      // A version of a record never changes, so a page of the same versions is the same page: nothing here can be stale.
      const key = `${owner.projectId}:${page.limit}:${page.offset}:${page.sort}:${totalCount}:${versions}`
      const known = pages.get(key)
      if (known !== undefined) return known
      const found = await readRecords(versions)
      const records = found.slice(0, page.limit)
      const lastRecord = found.length > page.limit ? records.at(-1) : undefined
      const nextCursor =
        lastRecord === undefined ? null : encodeCursor(page, { id: lastRecord.id, key: null })
      const rendered = renderList('Files', records, { totalCount, nextCursor }, page)
      // A record that changed in between is newer here than its version in the key.
      if (versionsOf(found) === versions) pages.set(key, rendered)
      return rendered
    },
  }
}
