import './usage.css'
import { Anchor, Button, Progress } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { currentLanguage, useTexts, type Translate } from '../shell/texts.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { formatBytes, formatNumber } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { useAddress } from '../ui/lists/use-address.ts'

const limit = 20
/** Shares of the quota from which the bar warns. */
const [nearlyFull, full] = [0.8, 0.95]

type ProjectUsage = Awaited<ReturnType<typeof zoetrope.usage.listProjects>>['Projects'][number]

const Quota = ({ project }: { readonly project: ProjectUsage }) => {
  const t = useTexts('usage.screen')
  const { StorageBytes: used, StorageQuotaBytes: quota, Name } = project
  if (quota === null) return <>{t('noQuota')}</>
  const share = quota === 0 ? 1 : used / quota
  const percent = new Intl.NumberFormat(currentLanguage(), { style: 'percent' }).format(share)
  const tone = share >= full ? 'danger' : share >= nearlyFull ? 'warning' : 'busy'
  return (
    <div className="usage-quota">
      {t('ofQuota', { percent, quota: formatBytes(quota) })}
      <Progress
        size="sm"
        value={100 * share}
        color={`var(--tone-${tone})`}
        aria-label={t('quotaOf', { name: Name })}
      />
    </div>
  )
}

const optional = { hideable: true, yields: true } as const
const end = { align: 'end', width: 92 } as const

const columnsOf = (
  t: Translate<'usage.screen'>,
  onForecast: (projectId: number) => void,
): TableColumn<ProjectUsage>[] => [
  {
    key: 'name',
    header: t('name'),
    cell: ({ ProjectId, Name }) => (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link {...props} to="/projects/$projectId/files" params={{ projectId: ProjectId }} />
        )}
      >
        {Name}
      </Anchor>
    ),
  },
  { key: 'storage', header: t('storage'), cell: (one) => formatBytes(one.StorageBytes), ...end },
  {
    key: 'sources',
    header: t('sources'),
    cell: (one) => formatBytes(one.SourceBytes),
    ...optional,
    ...end,
    width: 156,
  },
  {
    key: 'renditions',
    header: t('renditions'),
    cell: (one) => formatBytes(one.RenditionBytes),
    ...optional,
    ...end,
  },
  {
    key: 'evictable',
    header: t('evictable'),
    cell: (one) => formatBytes(one.EvictableBytes),
    ...optional,
    ...end,
  },
  {
    key: 'videos',
    header: t('videos'),
    cell: (one) => formatNumber(one.FileCount),
    ...end,
    width: 70,
  },
  { key: 'quota', header: t('quota'), cell: (one) => <Quota project={one} />, width: 140 },
  {
    key: 'days',
    header: t('forecast'),
    cell: ({ ProjectId, Name }) => (
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t('forecastOf', { name: Name })}
        onClick={() => onForecast(ProjectId)}
      >
        {t('show')}
      </Button>
    ),
    width: 100,
  },
]

export const UsageOfProjects = () => {
  const t = useTexts('usage.screen')
  const [address, go] = useAddress()
  const query = pageQuery(address, limit)
  const list = useQuery({
    queryKey: [...queryKeys.usage, 'projects', query],
    queryFn: async ({ signal }) => zoetrope.usage.listProjects(query, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title={t('byProject')}>
      <ListResults list={list} entriesOf={(page) => page.Projects} place={address} limit={limit} onGo={go}>
        {(entries) => (
          <DataTable
            id="usage-projects"
            label={t('byProject')}
            rows={entries}
            keyOf={({ ProjectId }) => ProjectId}
            columns={columnsOf(t, (id) => go({ project: String(id) }))}
          />
        )}
      </ListResults>
    </Section>
  )
}
