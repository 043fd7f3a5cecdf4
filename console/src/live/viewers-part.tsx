import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { realtimeQuery } from '../analytics/analytics-queries.ts'
import { PresentValues } from '../analytics/live/present-values.tsx'
import { NoViews } from '../analytics/no-views.tsx'
import { useTexts } from '../shell/texts.ts'
import { Figure, Figures } from '../ui/chart/figures.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { formatNumber } from '../ui/format.ts'

const loadingPixels = 320

/** Viewers of the stream at this moment, by country and by the rendition that plays. */
export const ViewersPart = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.viewers')
  const { data, error, refetch } = useQuery(realtimeQuery({ projectId: String(projectId), stream: 'live' }))
  if (data === undefined)
    return error === null ? (
      <Skeleton height={loadingPixels} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  if (!data.IsCollecting) return <NoViews isCollecting={false} />
  if (data.Viewers === 0)
    return (
      <EmptyState picture="people" title={t('none')}>
        {t('noneExplained')}
      </EmptyState>
    )
  return (
    <Stack>
      <Figures label={t('title')}>
        <Figure label={t('title')} value={<span role="status">{formatNumber(data.Viewers)}</span>}>
          {t('refreshed')}
        </Figure>
      </Figures>
      <PresentValues realtime={data} />
    </Stack>
  )
}
