import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { defineWords } from '../shell/words.ts'
import { formatNumber } from '../ui/format.ts'
import './notifications.css'
import { deliveriesQuery } from './webhook-queries.ts'
import { deliveryColors } from './webhook-status.tsx'

const useWords = defineWords('delivery-strip', {
  en: {
    none: 'Nothing was sent yet.',
    rate: '{{delivered}} of the last {{all}} delivered ({{percent}} %)',
  },
  de: {
    none: 'Noch nichts gesendet.',
    rate: '{{delivered}} der letzten {{all}} zugestellt ({{percent}} %)',
  },
})

/** The last deliveries side by side, the newest at the right, and how many of them arrived. */
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
  if (deliveries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    )
  const ended = deliveries.filter(({ FinishedAt }) => FinishedAt !== null)
  const delivered = ended.filter(({ Status }) => Status === 'delivered').length
  const percent = ended.length === 0 ? 100 : Math.round((100 * delivered) / ended.length)
  return (
    <Group gap="xs">
      <span className="notifications-strip" aria-hidden>
        {deliveries.map(({ Id, Status }) => (
          <span key={Id} style={{ background: `var(--mantine-color-${deliveryColors[Status]}-6)` }} />
        ))}
      </span>
      <Text size="sm">
        {t('rate', {
          delivered: formatNumber(delivered),
          all: formatNumber(ended.length),
          percent: formatNumber(percent),
        })}
      </Text>
    </Group>
  )
}
