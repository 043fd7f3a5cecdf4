import '../analytics.css'
import type { MediaFile } from '@zoetrope/sdk'
import { Anchor, Group, Select, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../shell/texts.ts'
import { Figure, Figures } from '../../ui/chart/figures.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { useAddress } from '../../ui/lists/use-address.ts'
import { fileAnalyticsQuery, useRange, type FileFigures } from '../analytics-queries.ts'
import { formatMetric } from '../metrics.ts'
import { NoViews } from '../no-views.tsx'
import { dayPeriods, periodOf } from '../period.ts'
import { RetentionSection } from './retention-section.tsx'

/** Audience and quality of one file, beside its player. */
export const FileAnalyticsPanel = ({
  file: { ProjectId, Id },
  onSeek,
}: {
  readonly file: MediaFile
  readonly onSeek: (seconds: number) => void
}) => {
  const t = useTexts('analytics.file')
  const screen = useTexts('analytics.screen')
  const [address, go] = useAddress()
  const period = periodOf(address['period'])
  const range = useRange(period, false)
  const { data, error, refetch } = useQuery(fileAnalyticsQuery(ProjectId, Id, range))
  return (
    <Stack>
      <Group justify="space-between">
        <Select
          aria-label={screen('period')}
          allowDeselect={false}
          w={190}
          value={period}
          data={dayPeriods.map((one) => ({ value: one, label: screen(`period${one}`) }))}
          onChange={(one) => go({ period: one === '30d' ? undefined : (one ?? undefined) })}
        />
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/analytics" search={{ file: String(Id) }} />}
        >
          {t('all')}
        </Anchor>
      </Group>
      {data === undefined && error === null && <Skeleton height={480} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <FiguresOfFile figures={data.figures} />}
      {data !== undefined &&
        (data.figures.Views === 0 ? (
          <NoViews isCollecting={data.figures.IsCollecting} />
        ) : (
          <RetentionSection analytics={data} onSeek={onSeek} />
        ))}
    </Stack>
  )
}

const FiguresOfFile = ({ figures }: { readonly figures: FileFigures }) => {
  const t = useTexts('analytics.metrics')
  const texts = useTexts('analytics.file')
  const shown = [
    [t('views'), formatNumber(figures.Views)],
    [t('uniqueviewers'), formatNumber(figures.UniqueViewers)],
    [t('watchtime'), formatMetric('watchtime', figures.WatchSeconds)],
    [t('averageviewtime'), formatMetric('averageviewtime', figures.AverageViewSeconds)],
    [t('startuptime'), formatMetric('startuptime', figures.StartupMs)],
    [t('rebuffering'), formatMetric('rebuffering', figures.RebufferRatio)],
  ] as const
  return (
    <Figures label={texts('figures')}>
      {shown.map(([label, value]) => (
        <Figure key={label} label={label} value={value} />
      ))}
    </Figures>
  )
}
