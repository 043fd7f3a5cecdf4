import { Anchor, Text } from '@mantine/core'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { formatNumber, formatTime } from '../../ui/format.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import type { Hour } from '../webhook-queries.ts'
import { formatLatency } from './format-latency.ts'

const shown = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : formatLatency(milliseconds)

const columnsOf = (
  t: Translate<'notifications.webhookHours'>,
  onPick: (hour: string) => void,
): TableColumn<Hour>[] => [
  {
    key: 'hour',
    header: t('hour'),
    cell: ({ Hour: begin }) => (
      <Anchor component="button" type="button" size="sm" onClick={() => onPick(begin)}>
        {formatTime(begin)}
      </Anchor>
    ),
  },
  ...(
    [
      ['delivered', ({ DeliveredCount }) => formatNumber(DeliveredCount)],
      ['failed', ({ FailedCount }) => formatNumber(FailedCount)],
      ['p50', ({ LatencyP50Ms }) => shown(LatencyP50Ms)],
      ['p95', ({ LatencyP95Ms }) => shown(LatencyP95Ms)],
    ] as const satisfies readonly (readonly [string, (hour: Hour) => string])[]
  ).map(([key, cell]) => ({ key, header: t(key), cell, align: 'end' as const, width: 130 })),
]

export const HoursTable = ({
  hours,
  onPick,
}: {
  readonly hours: readonly Hour[]
  readonly onPick: (hour: string) => void
}) => {
  const t = useTexts('notifications.webhookHours')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('leftOut')}
      </Text>
      <DataTable
        id="webhook-hours"
        label={t('requests')}
        rows={hours.toReversed()}
        keyOf={({ Hour: begin }) => begin}
        columns={columnsOf(t, onPick)}
      />
    </>
  )
}
