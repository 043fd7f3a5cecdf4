import type { SelectQueryBuilder } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import { readPage, type PageOf } from '../../../platform/db/keyset.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { LiveStreamOwner } from './live-stream-store.ts'

/** Tables with any number of rows per live stream, listed newest first. */
type ListedTable = 'live_log' | 'live_recordings' | 'live_targets'

export const readOwnPage = async <Table extends ListedTable, Row extends { id: number }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { accountId, projectId }: LiveStreamOwner,
  page: Page,
): Promise<PageOf<Row> & { totalCount: number }> => {
  const own = (query as unknown as SelectQueryBuilder<Tables, ListedTable, Row>)
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
  const found = await readPage(own, page, null)
  const { count } = await own
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}
