import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { formatNumber } from '../ui/format.ts'
import { SearchField } from '../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../ui/lists/use-address.ts'
import { WideTable } from '../ui/lists/wide-table.tsx'
import { EntryDialogs, type EntryAct } from './entry-dialogs.tsx'
import type { Vocabulary } from './vocabularies.ts'

const limit = 50

export const VocabularyPanel = ({ vocabulary }: { readonly vocabulary: Vocabulary }) => {
  const t = useTexts('catalog.screen')
  const mayWrite = useCan()('catalog:write')
  const [address, go] = useAddress()
  const [act, setAct] = useState<EntryAct | null>(null)
  const { name } = vocabulary
  const query = {
    ...queryOf(address, ['search']),
    ...pageQuery(address, limit),
    orderBy: 'label',
    sort: 'asc',
  }
  const list = useQuery({
    queryKey: [...queryKeys.catalog, name, query],
    queryFn: ({ signal }) => vocabulary.list(query, signal),
    placeholderData: keepPreviousData,
  })
  const ids = (list.data?.entries ?? []).map(({ Id }) => Id)
  const { data: used } = useQuery({
    queryKey: [...queryKeys.catalog, 'used', ids],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.usage.listCatalog({ ids: ids.join(','), limit: 500 }, { signal })
      return new Map(page.Entries.map(({ Id, FileCount }) => [Id, FileCount]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  const heads = [t('label'), t('customId'), t('files'), ...(mayWrite ? [t('acts')] : [])]
  return (
    <Stack>
      <EntryDialogs vocabulary={vocabulary} act={act} onClose={() => setAct(null)} />
      <Text>{t(`${name}Explained`)}</Text>
      <Group>
        <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
        {mayWrite && (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAct({ kind: 'edit', entry: null })}
          >
            {t('create')}
          </Button>
        )}
      </Group>
      <ListResults
        list={list}
        entriesOf={(page) => page.entries}
        place={address}
        limit={limit}
        onGo={go}
        empty={<Text>{t(address['search'] === undefined ? 'none' : 'noneFound')}</Text>}
      >
        {(entries) => (
          <WideTable label={t(name)} heads={heads} minWidth={520}>
            {entries.map((entry) => (
              <Table.Tr key={entry.Id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{entry.Label}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{entry.CustomId}</Table.Td>
                <Table.Td>{used === undefined ? '…' : formatNumber(used.get(entry.Id) ?? 0)}</Table.Td>
                {mayWrite && (
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('renameNamed', { name: entry.Label })}
                        onClick={() => setAct({ kind: 'edit', entry })}
                      >
                        {t('rename')}
                      </Button>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('deleteNamed', { name: entry.Label })}
                        disabled={used === undefined}
                        onClick={() => setAct({ kind: 'delete', entry, fileCount: used?.get(entry.Id) ?? 0 })}
                      >
                        {t('delete')}
                      </Button>
                    </Group>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </ListResults>
    </Stack>
  )
}
