import type { ListedRecord, Page } from '../http/paging.ts'
import type { Database } from '../kernel/db/database.ts'
import { createCoalescer } from '../kernel/db/coalesce.ts'

interface RecordOwner {
  readonly accountId: number
  readonly projectId: number
}

export type OwnedRecord = ListedRecord & RecordOwner

/**
 * Hot reads: ready-made records as raw buffers, never parsed here. Point reads that arrive in one turn of the event loop become one
 * `id = any(…)`: the round trip, not the row, is what costs.
 */
export interface FileReads {
  readonly one: (fileId: number, owner: RecordOwner) => Promise<ListedRecord | null>
  /** Newest first; null when the project does not exist. */
  readonly list: (
    owner: RecordOwner,
    page: Page,
  ) => Promise<{ records: ListedRecord[]; totalCount: number } | null>
}

const numberOf = (bytes: Buffer | undefined): number => Number(bytes?.toString('latin1'))

export const createFileReads = ({ sql }: Database): FileReads => {
  const load = createCoalescer<number, OwnedRecord>(async (ids) => {
    const rows = (await sql`
      select id, account_id, project_id, version, record from media_files
      where id = any(${ids}::bigint[]) and deleted_at is null`.raw()) as unknown as Buffer[][]
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

  const readCount = async ({ accountId, projectId }: RecordOwner): Promise<number | null> => {
    const [row] = (await sql`
      select file_count from projects
      where id = ${projectId} and account_id = ${accountId} and deleted_at is null`.raw()) as unknown as Buffer[][]
    return row === undefined ? null : numberOf(row[0])
  }

  // The inner query walks the index only: what stands in its select list would be computed for skipped rows too.
  const readPage = async ({ accountId, projectId }: RecordOwner, page: Page): Promise<ListedRecord[]> => {
    const rows = (await sql`
      select f.id, f.version, f.record
      from (
        select id from media_files
        where project_id = ${projectId} and deleted_at is null and id < ${page.afterId ?? Number.MAX_SAFE_INTEGER}
        order by id desc limit ${page.limit} offset ${page.offset}
      ) page
      join media_files f on f.id = page.id and f.account_id = ${accountId}
      order by f.id desc`.raw()) as unknown as Buffer[][]
    return rows.map(([id, version, record]) => ({
      id: numberOf(id),
      version: numberOf(version),
      record: record as Buffer,
    }))
  }

  return {
    one: async (fileId, { accountId, projectId }) => {
      const found = await load(fileId)
      return found?.accountId === accountId && found.projectId === projectId ? found : null
    },
    list: async (owner, page) => {
      const [totalCount, records] = await Promise.all([readCount(owner), readPage(owner, page)])
      return totalCount === null ? null : { records, totalCount }
    },
  }
}
