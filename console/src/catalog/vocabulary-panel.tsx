import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { FilterRow } from '../ui/lists/filter-row.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { formatNumber } from '../ui/format.ts'
import { SearchField } from '../ui/lists/search-field.tsx'
import { queryOf, useAddress } from '../ui/lists/use-address.ts'
import { EntryDialogs, type EntryAct } from './entry-dialogs.tsx'
import type { Entry, Vocabulary } from './vocabularies.ts'

const limit = 50

/** Without the number of files, an entry cannot be deleted: the confirmation names it. */
const useColumns = (
  used: ReadonlyMap<number, number> | undefined,
  mayWrite: boolean,
  onAct: (act: EntryAct) => void,
): readonly TableColumn<Entry>[] => {
  const t = useTexts('catalog.screen')
  return [
    { key: 'label', header: t('label'), wraps: true, cell: ({ Label }) => Label },
    { key: 'customId', header: t('customId'), wraps: true, hideable: true, cell: ({ CustomId }) => CustomId },
    {
      key: 'files',
      header: t('files'),
      width: 90,
      align: 'end',
      cell: ({ Id }) => (used === undefined ? '…' : formatNumber(used.get(Id) ?? 0)),
    },
    ...(mayWrite
      ? [
          {
            ...{ key: 'acts', header: t('acts'), isHeaderHidden: true, width: 216 },
            cell: (entry: Entry) => (
              <Group gap="xs" wrap="nowrap" justify="flex-end">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('renameNamed', { name: entry.Label })}
                  onClick={() => onAct({ kind: 'edit', entry })}
                >
                  {t('rename')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('deleteNamed', { name: entry.Label })}
                  disabled={used === undefined}
                  onClick={() => onAct({ kind: 'delete', entry, fileCount: used?.get(entry.Id) ?? 0 })}
                >
                  {t('delete')}
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ]
}

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
  const columns = useColumns(used, mayWrite, setAct)
  const table = (rows: readonly Entry[], isLoading: boolean) => (
    <DataTable
      id={name}
      label={t(name)}
      columns={columns}
      rows={rows}
      keyOf={({ Id }) => Id}
      isLoading={isLoading}
    />
  )
  const create = mayWrite && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setAct({ kind: 'edit', entry: null })}
    >
      {t('create')}
    </Button>
  )
  return (
    <Stack>
      <EntryDialogs vocabulary={vocabulary} act={act} onClose={() => setAct(null)} />
      <Text c="dimmed">{t(`${name}Explained`)}</Text>
      <FilterRow>
        <SearchField label={t('search')} value={address['search']} onSearch={(search) => go({ search })} />
        {create}
      </FilterRow>
      <ListResults
        list={list}
        entriesOf={(page) => page.entries}
        place={address}
        limit={limit}
        onGo={go}
        skeleton={table([], true)}
        empty={
          address['search'] === undefined ? (
            <EmptyState title={t('none')} />
          ) : (
            <EmptyState picture="search" title={t('noneFound')} />
          )
        }
      >
        {(entries) => table(entries, false)}
      </ListResults>
    </Stack>
  )
}
