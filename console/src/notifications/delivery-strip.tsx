import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import './notifications.css'
import { deliveriesQuery, healthQuery } from './webhook-queries.ts'
import { deliveryColors } from './webhook-status.tsx'

/** Rounded down, so that a single failure never shows 100 %. */
const percentOf = (part: number, all: number): string => formatNumber(Math.floor((100 * part) / all))

const AttemptRate = ({ webhookId }: { readonly webhookId: number }) => {
  const t = useTexts('notifications.deliveryStrip')
  const { data: health } = useQuery(healthQuery(webhookId))
  if (health === undefined) return null
  const { DeliveredCount, FailedCount } = health.Last48Hours
  const count = DeliveredCount + FailedCount
  if (count === 0) return null
  const all = formatNumber(count)
  if (FailedCount === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noFailure', { count, all })}
      </Text>
    )
  const percent = percentOf(DeliveredCount, count)
  return <Text size="sm">{t('attempts', { failed: formatNumber(FailedCount), all, percent })}</Text>
}

/**
 * The latest deliveries side by side, newest at the right, with the success rates of deliveries and attempts.
 */
export const DeliveryStrip = ({
  webhookId,
  count,
}: {
  readonly webhookId: number
  readonly count: number
}) => {
  const t = useTexts('notifications.deliveryStrip')
  const { data } = useQuery(deliveriesQuery(webhookId, { limit: count }))
  if (data === undefined) return null
  const deliveries = data.Deliveries.toReversed()
  const statuses = deliveries.map(({ Status }) => Status).filter((status) => status !== 'cancelled')
  const all = statuses.length
  if (all === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    )
  const delivered = statuses.filter((status) => status === 'delivered').length
  const waiting = statuses.filter((status) => status === 'pending' || status === 'waiting').length
  return (
    <Group gap="xs" align="flex-start">
      <span className="notifications-strip" aria-hidden>
        {deliveries.map(({ Id, Status }) => (
          <span key={Id} style={{ background: `var(--mantine-color-${deliveryColors[Status]}-6)` }} />
        ))}
      </span>
      <Stack gap={0}>
        <Text size="sm">
          {t(waiting > 0 ? 'partly' : 'rate', {
            delivered: formatNumber(delivered),
            all: formatNumber(all),
            waiting: formatNumber(waiting),
            percent: percentOf(delivered, all),
          })}
        </Text>
        <AttemptRate webhookId={webhookId} />
      </Stack>
    </Group>
  )
}
