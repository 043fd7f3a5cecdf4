import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ProjectFilter } from '../projects/project-filter.tsx'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts, type Translate } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { FilterRow } from '../ui/lists/filter-row.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { Screen } from '../ui/screen.tsx'
import { queryOf, useAddress } from '../ui/lists/use-address.ts'
import { EncodingProgress, EncodingState, EncodingTitle, Priority, type Encoding } from './queue-cells.tsx'

/** Events report state changes. Progress in between is polled. */
const refreshMs = 3_000
const limit = 50

const columnsOf = (t: Translate<'usage.queue'>): TableColumn<Encoding>[] => [
  { key: 'video', header: t('video'), cell: (one) => <EncodingTitle encoding={one} /> },
  {
    key: 'state',
    header: t('state'),
    width: 200,
    cell: (one) => <EncodingState encoding={one} />,
  },
  {
    key: 'progress',
    header: t('progress'),
    width: 180,
    cell: (one) => <EncodingProgress encoding={one} />,
  },
  {
    key: 'ready',
    header: t('readyAt'),
    width: 160,
    cell: ({ EstimatedReadyAt }) =>
      EstimatedReadyAt === null ? t('unknown') : <RelativeTime instant={EstimatedReadyAt} />,
  },
  {
    key: 'since',
    header: t('since'),
    width: 130,
    hideable: true,
    cell: ({ WaitingSince }) => <RelativeTime instant={WaitingSince} />,
  },
  {
    key: 'priority',
    header: t('priority'),
    width: 110,
    cell: (one) => <Priority encoding={one} />,
  },
]

export const QueueScreen = () => {
  const t = useTexts('usage.queue')
  const [address, go] = useAddress()
  const query = { ...queryOf(address, ['projectId']), ...pageQuery(address, limit) }
  const list = useQuery({
    queryKey: [...queryKeys.events, 'queue', query],
    queryFn: async ({ signal }) => zoetrope.usage.listEncodings(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const count = list.data?.TotalCount
  return (
    <Screen title={t('title')} description={t('explained')}>
      <FilterRow>
        <ProjectFilter name="projectId" />
        <Text role="status" size="sm" c="dimmed">
          {count !== undefined && count > 0 && t('count', { count })}
        </Text>
      </FilterRow>
      <ListResults
        list={list}
        entriesOf={(page) => page.Encodings}
        place={address}
        limit={limit}
        onGo={go}
        empty={
          <EmptyState picture="done" title={t('none')}>
            {t('noneText')}
          </EmptyState>
        }
      >
        {(encodings) => (
          <DataTable
            id="queue"
            label={t('title')}
            rows={encodings}
            keyOf={({ FileId }) => FileId}
            columns={columnsOf(t)}
          />
        )}
      </ListResults>
    </Screen>
  )
}
