import { Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { FileLink } from '../ui/file-link.tsx'
import { formatDuration, formatTime } from '../ui/format.ts'
import { OlderButton, olderPages } from '../ui/lists/older-pages.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { WideTable } from '../ui/lists/wide-table.tsx'

const pageSize = 25

export const RecordingsPart = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.recordings')
  const list = useInfiniteQuery(
    olderPages([...queryKeys.live(projectId), 'recordings'], pageSize, async (query, options) =>
      zoetrope.live.recordings(projectId, query, options),
    ),
  )
  const { data, error, refetch } = list
  const recordings = data?.pages.flatMap(({ Recordings }) => Recordings) ?? []
  const lengthOf = ({ StartedAt, EndedAt }: { StartedAt: string; EndedAt: string | null }): string =>
    EndedAt === null
      ? '–'
      : formatDuration((new Date(EndedAt).getTime() - new Date(StartedAt).getTime()) / 1_000)
  return (
    <Section title={t('title')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && recordings.length === 0 && <Text>{t('none')}</Text>}
      {recordings.length > 0 && (
        <WideTable
          label={t('title')}
          heads={[t('name'), t('kind'), t('state'), t('started'), t('length')]}
          minWidth={560}
        >
          {recordings.map((one) => (
            <Table.Tr key={one.Id}>
              <Table.Td>
                {one.FileId === null ? (
                  one.Title || t('untitled')
                ) : (
                  <FileLink projectId={projectId} fileId={one.FileId} inherit>
                    {one.Title || t('untitled')}
                  </FileLink>
                )}
              </Table.Td>
              <Table.Td>{t(`kind_${one.Kind}`)}</Table.Td>
              <Table.Td>
                {t(one.State)}
                {one.Message !== null && (
                  <Text size="xs" lang="en">
                    {one.Message}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{formatTime(one.StartedAt)}</Table.Td>
              <Table.Td>{lengthOf(one)}</Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
      <OlderButton list={list} />
    </Section>
  )
}
