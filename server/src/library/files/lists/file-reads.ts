import { LRUCache } from 'lru-cache'
import { nextCursorOf, renderList, type Page } from '../../../platform/http/responses/paging.ts'
import type { Database } from '../../../platform/db/database.ts'
import { createBatchLoader } from '../../../platform/db/batch-loader.ts'
import type { FileFilter } from './file-filters.ts'
import { readAccountFilePage, type AccountFiles } from './account-file-query.ts'
import { readFilePage } from './file-list-query.ts'
import { createProjectChanges } from './project-changes.ts'

interface RecordOwner {
  readonly accountId: number
  readonly projectId: number
}

export interface FileRecordText {
  readonly id: number
  readonly version: number
  readonly record: string
}

interface KnownRecord extends FileRecordText, RecordOwner {
  /** Epoch of the project when the record was read; null when unknown. */
  readonly epoch: number | null
}

export interface RenderedPage {
  readonly body: Buffer
  readonly etag: string
}

/**
 * Frequent reads of rendered records and pages, which are never parsed here. Each read asks the database
 * whether cached entries are current, so reads include every change acknowledged on any node. Only changed
 * entries are read again.
 */
export interface FileReads {
  readonly one: (fileId: number, owner: RecordOwner) => Promise<FileRecordText | null>
  /** Returns null when the project does not exist. */
  readonly list: (owner: RecordOwner, filter: FileFilter, page: Page) => Promise<RenderedPage | null>
  /** Lists the files of several projects. Not cached. */
  readonly listAll: (files: AccountFiles, filter: FileFilter, page: Page) => Promise<RenderedPage>
}

/** Enough for tens of thousands of records and a thousand pages of fifty. */
const maxRecordBytes = 64 * 1024 * 1024
const maxPageBytes = 64 * 1024 * 1024
const maxCountBytes = 4 * 1024 * 1024

export const createFileReads = (database: Database): FileReads => {
  const { sql } = database
  const records = new LRUCache<number, KnownRecord>({
    maxSize: maxRecordBytes,
    sizeCalculation: ({ record }) => record.length + 1,
  })
  const pages = new LRUCache<string, RenderedPage>({
    maxSize: maxPageBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length,
  })
  const counts = new LRUCache<string, number>({
    maxSize: maxCountBytes,
    sizeCalculation: (_count, key) => key.length,
  })
  const changes = createProjectChanges(database)

  /**
   * Loads concurrent point reads with one query, which returns a record only when its version is not cached.
   */
  const load = createBatchLoader<number, { found: KnownRecord; isDeleted: boolean }>(async (ids) => {
    const asked = ids.map((id) => records.get(id))
    const rows = await sql.raw`
      select f.id, f.version, f.account_id, f.project_id, (f.deleted_at is not null or p.deleted_at is not null)::int,
        known.position, case when f.version <> known.version then f.record end
      from unnest(${ids}::bigint[], ${asked.map((one) => one?.version ?? 0)}::bigint[])
        with ordinality as known (id, version, position)
      join media_files f on f.id = known.id
      join projects p on p.id = f.project_id`
    return new Map(
      rows.map((row) => {
        const [id = 0, version = 0, accountId = 0, projectId = 0, isDeleted, position = 0] = row
          .slice(0, 6)
          .map(Number)
        const known = row[6] === null ? asked[position - 1] : undefined
        const found = known ?? { id, version, accountId, projectId, record: String(row[6]), epoch: null }
        if (known === undefined) records.set(id, found)
        return [id, { found, isDeleted: isDeleted === 1 }]
      }),
    )
  })

  const readNow = async (fileId: number, { accountId, projectId }: RecordOwner) => {
    // Read before the record: a change in between begins a new epoch, and the record is read again.
    const epoch = changes.lastEpoch(projectId) ?? (await changes.moment(projectId))?.epoch
    const loaded = await load(fileId)
    if (epoch === undefined || loaded === null || loaded.isDeleted) return null
    const { found } = loaded
    if (found.accountId !== accountId || found.projectId !== projectId) return null
    records.set(fileId, { ...found, epoch })
    return found
  }

  const renderPage = async (
    { projectId, epoch }: { projectId: number; epoch: number },
    filter: FileFilter,
    page: Page,
  ): Promise<RenderedPage> => {
    // Counting dominates the cost of a search, and all pages of one search have the same count.
    const countKey = `${epoch} ${filter.key}`
    const isCountable = filter.key !== '' && !filter.includeDeleted
    const knownCount = isCountable ? counts.get(countKey) : undefined
    let found = await readFilePage(database, projectId, filter, page, knownCount)
    // The page may be newer than the cached count. If the project changed in between, both are read again.
    if (knownCount !== undefined && (await changes.moment(projectId))?.epoch !== epoch)
      found = await readFilePage(database, projectId, filter, page, undefined)
    if (isCountable) counts.set(countKey, found.totalCount)
    const { totalCount } = found
    return renderList('Files', found, { totalCount, nextCursor: nextCursorOf(page, found) }, page)
  }

  return {
    listAll: async (files, filter, page) => {
      const found = await readAccountFilePage(database, files, filter, page)
      const { totalCount } = found
      return renderList('Files', found, { totalCount, nextCursor: nextCursorOf(page, found) }, page)
    },
    one: async (fileId, owner) => {
      const { accountId, projectId } = owner
      const known = records.get(fileId)
      if (known !== undefined && known.epoch !== null && known.epoch === changes.lastEpoch(known.projectId)) {
        // Most files are read more often than their project changes, so one query serves many concurrent
        // reads.
        if (known.accountId !== accountId) return null
        // It may have moved to this project on another node.
        if (known.projectId !== projectId) return await readNow(fileId, owner)
        const moment = await changes.moment(projectId)
        if (moment === null) return null
        if (moment.epoch === known.epoch) return known
      }
      return await readNow(fileId, owner)
    },
    list: async ({ accountId, projectId }, filter, page) => {
      const moment = await changes.moment(projectId)
      if (moment === null || moment.accountId !== accountId) return null
      const { limit, offset, orderBy, sort, after } = page
      const key = `${moment.epoch} ${limit} ${offset} ${orderBy} ${sort} ${after === null ? '' : JSON.stringify(after)} ${filter.key}`
      const known = pages.get(key)
      if (known !== undefined) return known
      const rendered = await renderPage({ projectId, epoch: moment.epoch }, filter, page)
      // A purge begins no epoch, but a purged file can only be on pages with deleted files.
      if (!filter.includeDeleted) pages.set(key, rendered)
      return rendered
    },
  }
}
