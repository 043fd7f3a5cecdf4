import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useProjectChoices } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { Screen } from '../ui/screen.tsx'
import { queryOf, useAddress } from '../ui/lists/use-address.ts'
import { WideTable } from '../ui/lists/wide-table.tsx'
import { QueueRow } from './queue-row.tsx'

/** Events report state changes. Progress in between is polled. */
const refreshMs = 3_000
const limit = 50

export const QueueScreen = () => {
  const t = useTexts('usage.queue')
  const [address, go] = useAddress()
  const projects = useProjectChoices()
  const query = { ...queryOf(address, ['projectId']), ...pageQuery(address, limit) }
  const list = useQuery({
    queryKey: [...queryKeys.events, 'queue', query],
    queryFn: async ({ signal }) => zoetrope.usage.listEncodings(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const count = list.data?.TotalCount
  return (
    <Screen title={t('title')}>
      <Text maw={760}>{t('explained')}</Text>
      <FilterSelect name="projectId" label={t('project')} searchable maw={320} data={projects} />
      <Text role="status">{count !== undefined && (count === 0 ? t('none') : t('count', { count }))}</Text>
      <ListResults list={list} entriesOf={(page) => page.Encodings} place={address} limit={limit} onGo={go}>
        {(encodings) => (
          <WideTable
            label={t('title')}
            heads={[t('video'), t('state'), t('progress'), t('priority'), t('since'), t('readyAt')]}
            minWidth={860}
          >
            {encodings.map((encoding) => (
              <QueueRow key={encoding.FileId} encoding={encoding} />
            ))}
          </WideTable>
        )}
      </ListResults>
    </Screen>
  )
}
