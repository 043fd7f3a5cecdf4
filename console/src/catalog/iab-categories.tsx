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

type Category = Awaited<ReturnType<typeof zoetrope.iabCategories.list>>['IABCategories'][number]

const useColumns = (all: readonly Category[]): readonly TableColumn<Category>[] => {
  const t = useTexts('catalog.screen')
  const labelOf = (id: number | null): string => all.find(({ Id }) => Id === id)?.Label ?? ''
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
    { key: 'within', header: t('within'), wraps: true, cell: ({ ParentId }) => labelOf(ParentId) },
    { key: 'code', header: t('code'), width: 110, cell: ({ IABId }) => IABId },
  ]
}

export const IabCategories = () => {
  const t = useTexts('catalog.screen')
  const [address, go] = useAddress()
  const { data: all = [] } = useQuery(allIabCategories)
  const query = {
    ...queryOf(address, ['search']),
    ...pageQuery(address, limit),
    orderBy: 'created',
    sort: 'asc',
  } as const
  const list = useQuery({
    queryKey: [...queryKeys.catalog, 'iab', query],
    queryFn: async ({ signal }) => zoetrope.iabCategories.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const columns = useColumns(all)
  return (
    <Stack>
      <Text c="dimmed">{t('iabExplained')}</Text>
      <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
      <ListResults
        list={list}
        entriesOf={(page) => page.IABCategories}
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
