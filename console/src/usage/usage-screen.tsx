import { Group, Paper, Select, SimpleGrid, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useProjectChoices } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatNumber } from '../ui/format.ts'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { StorageHistory } from './storage-history.tsx'
import { StorageKinds } from './storage-kinds.tsx'
import { UsageOfProjects } from './usage-of-projects.tsx'

const periods = ['30', '90', '400'] as const

/** Stored bytes. Traffic and viewers are not measured. */
export const UsageScreen = () => {
  const t = useTexts('usage.screen')
  const [address, go] = useAddress()
  const projects = useProjectChoices()
  const days = periods.find((period) => period === address['days']) ?? '30'
  const query = { days: Number(days), ...(address['project'] && { projectId: address['project'] }) }
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.usage, query],
    queryFn: ({ signal }) => zoetrope.usage.get(query, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Screen title={t('title')}>
      <Group align="end">
        <FilterSelect name="project" label={t('project')} searchable data={projects} />
        <Select
          label={t('days')}
          allowDeselect={false}
          value={days}
          data={periods.map((period) => ({ value: period, label: t(`days${period}`) }))}
          onChange={(period) => go({ days: period === '30' ? undefined : (period ?? undefined) })}
        />
      </Group>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Figure label={t('storage')} value={formatBytes(data.StorageBytes)} />
            <Figure label={t('videos')} value={formatNumber(data.FileCount)} />
            <Figure
              label={t('playable')}
              value={t('minutes', { shown: formatNumber(Math.round(data.PlayableSeconds / 60)) })}
            />
          </SimpleGrid>
          <StorageKinds usage={data} />
          <StorageHistory days={data.Days} />
        </>
      )}
      {address['project'] === undefined && <UsageOfProjects />}
    </Screen>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text size="xl" fw={700}>
      {value}
    </Text>
  </Paper>
)
