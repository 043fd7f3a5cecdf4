import { Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { SearchField } from '../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../ui/lists/use-address.ts'
import { WideTable } from '../ui/lists/wide-table.tsx'

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
  const labelOf = (id: number | null): string => all.find(({ Id }) => Id === id)?.Label ?? ''
  return (
    <Stack>
      <Text>{t('iabExplained')}</Text>
      <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
      <ListResults
        list={list}
        entriesOf={(page) => page.IABCategories}
        place={address}
        limit={limit}
        onGo={go}
        empty={<Text>{t('noneFound')}</Text>}
      >
        {(entries) => (
          <WideTable label={t('iab')} heads={[t('label'), t('within'), t('code')]} minWidth={480}>
            {entries.map(({ Id, Label, ParentId, IABId }) => (
              <Table.Tr key={Id}>
                <Table.Td ps={ParentId === null ? 'xs' : 'xl'} fw={ParentId === null ? 600 : 400}>
                  {Label}
                </Table.Td>
                <Table.Td>{labelOf(ParentId)}</Table.Td>
                <Table.Td>{IABId}</Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </ListResults>
    </Stack>
  )
}
