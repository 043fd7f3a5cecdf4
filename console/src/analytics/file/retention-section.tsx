import { Button, Group, Text } from '@mantine/core'
import { IconFlame } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import type UPlot from 'uplot'
import { useTexts } from '../../shell/texts.ts'
import { ChartTable } from '../../ui/chart/chart-table.tsx'
import { Chart, type ChartLook, type ChartOptions } from '../../ui/chart/chart.tsx'
import { formatDuration, perLanguage } from '../../ui/format.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { Section } from '../../ui/section.tsx'
import type { FileAnalytics } from '../analytics-queries.ts'
import { chartColors } from '../chart-look.ts'
import { CsvButton } from '../csv-button.tsx'
import { formatShare } from '../metrics.ts'

const heightPixels = 200
const axisPixels = 56
/** Room for the second half of the last time below the chart. */
const edgePixels = 24
const minute = 60
const hour = 3_600
/** Times are shown in whole seconds. */
const stepsSeconds = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
]

const plays = perLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }))
const formatPlays = (value: number): string => plays().format(value)
const spanOf = ({ Start, End }: { readonly Start: number; readonly End: number }): string =>
  `${formatDuration(Start)} – ${formatDuration(End)}`

interface Props {
  readonly analytics: FileAnalytics
  readonly onSeek: (seconds: number) => void
}

/** How far viewers watch: the share of the views for each part, and how often each part was played. */
export const RetentionSection = ({ analytics, onSeek }: Props) => {
  const t = useTexts('analytics.retention')
  const { heat, hotspots } = analytics
  if (heat.every(({ Plays }) => Plays === 0))
    return (
      <Section title={t('title')}>
        <Text size="sm" c="dimmed">
          {t('noPlayhead')}
        </Text>
      </Section>
    )
  return (
    <Section title={t('title')} description={t('explained')}>
      <RetentionChart analytics={analytics} />
      <HeatStrip analytics={analytics} />
      {hotspots.length > 0 && (
        <Group gap="xs" role="group" aria-label={t('hotspots')}>
          {hotspots.map((spot) => (
            <Button
              key={spot.Start}
              size="compact-sm"
              variant="default"
              leftSection={<IconFlame size={14} aria-hidden />}
              aria-label={t('playSpot', { span: spanOf(spot), plays: formatPlays(spot.Plays) })}
              onClick={() => onSeek(spot.Start)}
            >
              {spanOf(spot)}
            </Button>
          ))}
        </Group>
      )}
      <PartsTable analytics={analytics} />
    </Section>
  )
}

const RetentionChart = ({ analytics: { retention } }: Pick<Props, 'analytics'>) => {
  const t = useTexts('analytics.retention')
  const data = useMemo(
    (): UPlot.AlignedData => [
      [...retention.map(({ Start }) => Start), retention.at(-1)?.End ?? 0],
      [...retention.map(({ Share }) => Share), retention.at(-1)?.Share ?? null],
    ],
    [retention],
  )
  const options = useCallback(
    ({ axis, scheme }: ChartLook): ChartOptions => ({
      cursor: { show: false },
      // The heat map below has the same left and right edge.
      padding: [8, edgePixels, 0, 0],
      scales: {
        x: { time: false, range: (_chart, min, max) => [min, max] },
        y: { range: (_chart, _min, max) => [0, Math.max(1, max)] },
      },
      axes: [
        { ...axis, space: 64, incrs: stepsSeconds, values: (_chart, ticks) => ticks.map(formatDuration) },
        { ...axis, size: axisPixels, values: (_chart, ticks) => ticks.map(formatShare) },
      ],
      series: [
        {},
        {
          stroke: chartColors.now[scheme],
          fill: `${chartColors.now[scheme]}1f`,
          ...{ width: 2, points: { show: false } },
        },
      ],
    }),
    [],
  )
  return (
    <Chart heightPixels={heightPixels} data={data} options={options} role="img" aria-label={t('drawn')} />
  )
}

const HeatStrip = ({ analytics: { heat } }: Pick<Props, 'analytics'>) => {
  const t = useTexts('analytics.retention')
  const most = Math.max(...heat.map(({ Plays }) => Plays))
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {t('heat')}
      </Text>
      <div className="heat-strip" style={{ marginInline: `${axisPixels}px ${edgePixels}px` }} aria-hidden>
        {heat.map(({ Start, Plays }) => (
          <span key={Start} style={{ opacity: Plays / most }} />
        ))}
      </div>
    </div>
  )
}

const PartsTable = ({ analytics: { figures, retention, heat } }: Pick<Props, 'analytics'>) => {
  const t = useTexts('analytics.retention')
  const rows = retention.map((part, place) => ({ ...part, Plays: heat[place]?.Plays ?? 0 }))
  const end = { align: 'end', width: 140 } as const
  return (
    <ChartTable
      actions={
        <CsvButton
          name={`retention-${figures.FileId}`}
          label={t('title')}
          rows={[
            ['start', 'end', 'viewers', 'share', 'plays'],
            ...rows.map(({ Start, End, Viewers, Share, Plays }) => [Start, End, Viewers, Share, Plays]),
          ]}
        />
      }
    >
      <DataTable
        id="analytics-retention"
        label={t('title')}
        rows={rows}
        keyOf={({ Start }) => Start}
        columns={[
          { key: 'part', header: t('part'), cell: spanOf },
          {
            ...{ key: 'share', header: t('share'), ...end },
            cell: ({ Share }) => (Share === null ? '–' : formatShare(Share)),
          },
          { ...{ key: 'plays', header: t('plays'), ...end }, cell: ({ Plays }) => formatPlays(Plays) },
        ]}
      />
    </ChartTable>
  )
}
