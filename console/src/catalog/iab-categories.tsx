import { Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Pager, pageQuery } from '../ui/pager.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { queryOf, useAddress } from '../ui/use-address.ts'
import { WideTable } from '../ui/wide-table.tsx'

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
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.catalog, 'iab', query],
    queryFn: async ({ signal }) => zoetrope.iabCategories.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const labelOf = (id: number | null): string => all.find(({ Id }) => Id === id)?.Label ?? ''
  return (
    <Stack>
      <Text>{t('iabExplained')}</Text>
      <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data?.TotalCount === 0 && <Text>{t('noneFound')}</Text>}
      {data !== undefined && data.IABCategories.length > 0 && (
        <>
          <WideTable label={t('iab')} heads={[t('label'), t('within'), t('code')]} minWidth={480}>
            {data.IABCategories.map(({ Id, Label, ParentId, IABId }) => (
              <Table.Tr key={Id}>
                <Table.Td ps={ParentId === null ? 'xs' : 'xl'} fw={ParentId === null ? 600 : 400}>
                  {Label}
                </Table.Td>
                <Table.Td>{labelOf(ParentId)}</Table.Td>
                <Table.Td>{IABId}</Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
          <Pager
            place={address}
            limit={limit}
            shown={data.IABCategories.length}
            total={data.TotalCount}
            nextCursor={data.NextCursor}
            onGo={go}
          />
        </>
      )}
    </Stack>
  )
}
