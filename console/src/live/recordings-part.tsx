import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts, type Translate } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatDuration } from '../ui/format.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { OlderButton, olderPages } from '../ui/lists/older-pages.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { Section } from '../ui/section.tsx'

const pageSize = 25

type Recording = Awaited<ReturnType<typeof zoetrope.live.recordings>>['Recordings'][number]

const lengthOf = ({ StartedAt, EndedAt }: Recording): string =>
  EndedAt === null
    ? '–'
    : formatDuration((new Date(EndedAt).getTime() - new Date(StartedAt).getTime()) / 1_000)

const columnsOf = (t: Translate<'live.recordings'>, projectId: number): TableColumn<Recording>[] => [
  {
    ...{ key: 'name', header: t('name'), wraps: true },
    cell: ({ FileId, Title }) =>
      FileId === null ? (
        Title || t('untitled')
      ) : (
        <FileLink projectId={projectId} fileId={FileId} inherit>
          {Title || t('untitled')}
        </FileLink>
      ),
  },
  { key: 'kind', header: t('kind'), width: 110, cell: ({ Kind }) => t(`kind_${Kind}`) },
  {
    ...{ key: 'state', header: t('state'), width: 150, wraps: true },
    cell: ({ State, Message }) => (
      <div>
        {t(State)}
        {Message !== null && (
          <Text size="xs" lang="en">
            {Message}
          </Text>
        )}
      </div>
    ),
  },
  {
    ...{ key: 'started', header: t('started'), width: 150 },
    cell: ({ StartedAt }) => <RelativeTime instant={StartedAt} />,
  },
  { key: 'length', header: t('length'), width: 90, align: 'end', cell: lengthOf },
]

export const RecordingsPart = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.recordings')
  const list = useInfiniteQuery(
    olderPages([...queryKeys.live(projectId), 'recordings'], pageSize, async (query, options) =>
      zoetrope.live.recordings(projectId, query, options),
    ),
  )
  const { data, error, refetch } = list
  const recordings = data?.pages.flatMap(({ Recordings }) => Recordings) ?? []
  return (
    <Section title={t('title')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && recordings.length === 0 && <Text>{t('none')}</Text>}
      {recordings.length > 0 && (
        <DataTable<Recording>
          id="live-recordings"
          label={t('title')}
          rows={recordings}
          keyOf={({ Id }) => Id}
          columns={columnsOf(t, projectId)}
        />
      )}
      <OlderButton list={list} />
    </Section>
  )
}
