import { sql } from 'kysely'
import type { Page } from '../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { isUnchanged } from '../../platform/db/is-unchanged.ts'
import { readPage, type PageOf, type SortColumn } from '../../platform/db/keyset.ts'
import type { CatalogKind } from '../../platform/db/tables/catalog.ts'
import { detailOf, issue, Problem } from '../../platform/base/problem.ts'
import type { CatalogVocabulary } from './catalog-kinds.ts'
import type { CatalogEntryRow, EntryUpdate } from './catalog-record.ts'
import { foldLabel, searchWords } from './catalog-search.ts'

export interface CatalogScope {
  readonly accountId: number
  readonly vocabulary: CatalogVocabulary
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const entryNotFound = ({ singular }: CatalogVocabulary, id: number): Problem =>
  new Problem('catalog_entry_not_found', { kind: capitalized(singular), id })

const entries = (queryable: Queryable, { accountId, vocabulary }: CatalogScope) =>
  queryable
    .selectFrom('catalog_entries')
    .where('account_id', '=', accountId)
    .where('kind', '=', vocabulary.kind)

export const findEntry = async (
  queryable: Queryable,
  scope: CatalogScope,
  id: number,
): Promise<CatalogEntryRow> => {
  const row = await entries(queryable, scope).selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw entryNotFound(scope.vocabulary, id)
  return row
}

/**
 * Returns the entry with its row locked until the transaction ends. It waits for transactions that write the
 * entry into the metadata of a file (`lockEntriesInUse`).
 */
export const lockEntry = async (tx: Tx, scope: CatalogScope, id: number): Promise<CatalogEntryRow> => {
  const row = await entries(tx, scope).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw entryNotFound(scope.vocabulary, id)
  return row
}

const columnsOf = (body: EntryUpdate) => ({
  ...(body.Label === undefined ? {} : { label: body.Label.trim(), label_key: foldLabel(body.Label.trim()) }),
  ...(body.CustomId === undefined ? {} : { custom_id: body.CustomId ?? '' }),
})

const fieldOfIndex: Record<string, string> = {
  catalog_entries_by_label: 'Label',
  catalog_entries_by_custom_id: 'CustomId',
}

/** Converts the constraint error of the database into a conflict that names the field. */
const asConflict =
  ({ vocabulary }: CatalogScope) =>
  (error: unknown): never => {
    const field = fieldOfIndex[(error as { constraint?: string }).constraint ?? '']
    if (field === undefined) throw error
    const kind = vocabulary.singular
    throw new Problem(
      'catalog_value_in_use',
      { kind, field },
      { details: [detailOf(field, issue('already_in_use'))], cause: error },
    )
  }

export const insertEntry = (
  tx: Tx,
  scope: CatalogScope,
  body: EntryUpdate & { readonly Label: string },
): Promise<CatalogEntryRow> =>
  tx
    .insertInto('catalog_entries')
    .values({
      label: '',
      label_key: '',
      ...columnsOf(body),
      account_id: scope.accountId,
      kind: scope.vocabulary.kind,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(asConflict(scope))

export const changeEntry = async (
  tx: Tx,
  scope: CatalogScope,
  entry: CatalogEntryRow,
  body: EntryUpdate,
): Promise<CatalogEntryRow> => {
  const change = columnsOf(body)
  if (isUnchanged(entry, change)) return entry
  return tx
    .updateTable('catalog_entries')
    .set((set) => ({ ...change, updated_at: new Date(), version: set('version', '+', 1) }))
    .where('account_id', '=', scope.accountId)
    .where('id', '=', entry.id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(asConflict(scope))
}

export const deleteEntry = async (tx: Tx, { accountId }: CatalogScope, id: number): Promise<void> => {
  await tx.deleteFrom('catalog_entries').where('account_id', '=', accountId).where('id', '=', id).execute()
}

export const entryOrders: Record<string, SortColumn> = {
  created: null,
  updated: { expression: sql`updated_at`, type: 'timestamptz' },
  name: { expression: sql`fold_text(label_key) collate "C"`, type: 'text' },
  label: { expression: sql`fold_text(label_key) collate "C"`, type: 'text' },
}

export const listEntries = async (
  queryable: Queryable,
  scope: CatalogScope,
  search: string | undefined,
  page: Page,
): Promise<PageOf<CatalogEntryRow> & { totalCount: number }> => {
  const matching = searchWords(search).reduce(
    (query, word) =>
      query.where(
        sql<boolean>`(strpos(label_key, ${word}) > 0 or strpos(fold_text(custom_id), fold_text(${word})) > 0)`,
      ),
    entries(queryable, scope),
  )
  const found = await readPage(matching.selectAll(), page, entryOrders[page.orderBy] ?? null)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

export interface WantedEntries {
  readonly ids: readonly number[]
  readonly customIds: readonly string[]
}

/**
 * Returns the wanted entries of the account, of all kinds. Until the transaction ends they can neither be
 * renamed nor deleted, so the relabel job of such a change finds files written in this transaction.
 */
export const lockEntriesInUse = async (
  tx: Tx,
  accountId: number,
  { ids, customIds }: WantedEntries,
): Promise<CatalogEntryRow[]> => {
  if (ids.length === 0 && customIds.length === 0) return []
  return tx
    .selectFrom('catalog_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('id', 'in', [...ids, 0]),
        where.and([where('custom_id', '<>', ''), where('custom_id', 'in', [...customIds, ''])]),
      ]),
    )
    .orderBy('id')
    .forShare()
    .execute()
}

/** Returns the entry for a job with the same lock as `lockEntriesInUse`, or null when it no longer exists. */
export const lockEntryInUse = async (
  tx: Tx,
  key: { readonly accountId: number; readonly kind: CatalogKind; readonly entryId: number },
): Promise<CatalogEntryRow | null> =>
  (await lockEntriesInUse(tx, key.accountId, { ids: [key.entryId], customIds: [] }))[0] ?? null
