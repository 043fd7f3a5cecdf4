import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { defineWords } from '../shell/words.ts'
import { formatNumber } from '../ui/format.ts'
import './notifications.css'
import { deliveriesQuery, healthQuery } from './webhook-queries.ts'
import { deliveryColors } from './webhook-status.tsx'

const useWords = defineWords('delivery-strip', {
  en: {
    none: 'No deliveries yet.',
    partly: '{{delivered}} of the last {{all}} deliveries arrived, {{waiting}} still waiting',
    rate: '{{delivered}} of the last {{all}} deliveries arrived ({{percent}}\u00A0%)',
    attempts: '{{failed}} of {{all}} attempts failed in the last 48 hours ({{percent}}\u00A0% succeeded)',
    noFailure_one: '{{all}} attempt in the last 48 hours, none failed',
    noFailure_other: '{{all}} attempts in the last 48 hours, none failed',
  },
  de: {
    none: 'Noch keine Zustellungen.',
    partly: '{{delivered}} der letzten {{all}} Zustellungen angekommen, {{waiting}} noch ausstehend',
    rate: '{{delivered}} der letzten {{all}} Zustellungen angekommen ({{percent}}\u00A0%)',
    attempts:
      '{{failed}} von {{all}} Versuchen in den letzten 48 Stunden fehlgeschlagen ({{percent}}\u00A0% erfolgreich)',
    noFailure_one: '{{all}} Versuch in den letzten 48 Stunden, keiner fehlgeschlagen',
    noFailure_other: '{{all}} Versuche in den letzten 48 Stunden, keiner fehlgeschlagen',
  },
})

/** Rounded down, so that a single failure never shows 100 %. */
const percentOf = (part: number, all: number): string => formatNumber(Math.floor((100 * part) / all))

const AttemptRate = ({ webhookId }: { readonly webhookId: number }) => {
  const t = useWords()
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
  const t = useWords()
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
