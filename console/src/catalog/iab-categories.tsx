import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { SearchField } from '../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../ui/lists/use-address.ts'

/** The taxonomy never changes and fits into one page, so a single request loads the whole tree. */
const allIabCategories = {
  queryKey: ['iab'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const page = await zoetrope.iabCategories.list(
      { limit: 500, orderBy: 'created', sort: 'asc' },
      { signal },
    )
    return page.IABCategories
  },
  staleTime: Infinity,
}

const limit = 100

type Category = Awaited<ReturnType<typeof allIabCategories.queryFn>>[number]

interface Row extends Category {
  /** Label of the parent; empty for a category of the first level. */
  readonly within: string
}

const useColumns = (): readonly TableColumn<Row>[] => {
  const t = useTexts('catalog.screen')
  return [
    {
      key: 'label',
      header: t('label'),
      wraps: true,
      cell: ({ Label, ParentId }) => (
        <Text span inherit ps={ParentId === null ? 0 : 'lg'} fw={ParentId === null ? 600 : 400}>
          {Label}
        </Text>
      ),
    },
    { key: 'within', header: t('within'), wraps: true, cell: ({ within }) => within },
    { key: 'code', header: t('code'), width: 110, cell: ({ IABId }) => IABId },
  ]
}

export const IabCategories = () => {
  const t = useTexts('catalog.screen')
  const [address, go] = useAddress()
  const query = {
    ...queryOf(address, ['search']),
    ...pageQuery(address, limit),
    orderBy: 'created',
    sort: 'asc',
  } as const
  const list = useQuery({
    queryKey: [...queryKeys.catalog, 'iab', query],
    queryFn: async ({ client, signal }) => {
      // Both together: a label that is added later makes its row higher.
      const [page, all] = await Promise.all([
        zoetrope.iabCategories.list(query, { signal }),
        client.fetchQuery(allIabCategories),
      ])
      const labels = new Map(all.map(({ Id, Label }) => [Id, Label]))
      const rows = page.IABCategories.map((category): Row => ({
        ...category,
        within: labels.get(category.ParentId ?? 0) ?? '',
      }))
      return { ...page, rows }
    },
    placeholderData: keepPreviousData,
  })
  const columns = useColumns()
  return (
    <Stack>
      <Text c="dimmed">{t('iabExplained')}</Text>
      <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
      <ListResults
        list={list}
        entriesOf={(page) => page.rows}
        place={address}
        limit={limit}
        onGo={go}
        empty={<EmptyState picture="search" title={t('noneFound')} />}
      >
        {(entries) => (
          <DataTable id="iab" label={t('iab')} columns={columns} rows={entries} keyOf={({ Id }) => Id} />
        )}
      </ListResults>
    </Stack>
  )
}
