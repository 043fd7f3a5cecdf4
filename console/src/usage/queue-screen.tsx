import { Select, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { allProjects } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ListSkeleton } from '../ui/list-skeleton.tsx'
import { Pager, pageQuery } from '../ui/pager.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { queryOf, useAddress } from '../ui/use-address.ts'
import { WideTable } from '../ui/wide-table.tsx'
import { QueueRow } from './queue-row.tsx'

/** Events report state changes. Progress in between is polled. */
const refreshMs = 3_000
const limit = 50

export const QueueScreen = () => {
  const t = useTexts('usage.queue')
  const [address, go] = useAddress()
  const { data: projects = [] } = useQuery(allProjects)
  const query = { ...queryOf(address, ['projectId']), ...pageQuery(address, limit) }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...queryKeys.events, 'queue', query],
    queryFn: async ({ signal }) => zoetrope.usage.listEncodings(query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const total = data?.TotalCount ?? 0
  return (
    <Screen title={t('title')}>
      <Text maw={760}>{t('explained')}</Text>
      <Select
        label={t('project')}
        clearable
        searchable
        maw={320}
        placeholder={t('allProjects')}
        value={address['projectId'] ?? null}
        data={projects.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        onChange={(projectId) => go({ projectId: projectId ?? undefined })}
      />
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {isPending && <ListSkeleton />}
      <Text role="status">
        {data !== undefined && (total === 0 ? t('none') : t('count', { count: total }))}
      </Text>
      {data !== undefined && data.Encodings.length > 0 && (
        <>
          <WideTable
            label={t('title')}
            heads={[t('video'), t('state'), t('progress'), t('priority'), t('since'), t('readyAt')]}
            minWidth={860}
          >
            {data.Encodings.map((encoding) => (
              <QueueRow key={encoding.FileId} encoding={encoding} />
            ))}
          </WideTable>
          <Pager
            place={address}
            limit={limit}
            shown={data.Encodings.length}
            total={total}
            nextCursor={data.NextCursor}
            onGo={go}
          />
        </>
      )}
    </Screen>
  )
}
