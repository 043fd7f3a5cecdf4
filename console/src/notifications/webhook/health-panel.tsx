import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { Figure, Figures } from '../../ui/chart/figures.tsx'
import { formatNumber } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { formatRate } from '../success-rate.ts'
import { deliveryCountsQuery, healthQuery, hoursQuery, type Webhook } from '../webhook-queries.ts'
import { useTrouble } from '../webhook-trouble.tsx'
import { formatLatency } from './format-latency.ts'

/** What is wrong, with the way to the answers of the receiver. Renders nothing while the endpoint works. */
export const Trouble = ({ webhook, onShow }: { readonly webhook: Webhook; readonly onShow: () => void }) => {
  const t = useTexts('notifications.trouble')
  const troubles = useTrouble()
  const { data: health } = useQuery(healthQuery(webhook.Id))
  if (health === undefined) return null
  const [first, ...others] = troubles(health)
  if (first === undefined) return null
  return (
    <Alert
      variant="light"
      {...(health.Status === 'disabled' && health.DisabledReason === null
        ? { color: 'gray' }
        : { color: 'red', bg: 'var(--tone-danger-soft)' })}
      icon={<IconAlertTriangle aria-hidden />}
      title={first}
    >
      <Stack gap="xs" align="flex-start">
        {others.length > 0 && <Text size="sm">{others.join(' ')}</Text>}
        {health.LastFailure !== null && (
          <Button size="xs" variant="default" onClick={onShow}>
            {t('show')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Below this rate, an operator should act. */
const isBad = (good: number, all: number): boolean => good < 0.95 * all

/** Success by delivery and by attempt: a delivery that succeeds at its third attempt has two failed ones. */
export const WebhookFigures = ({ webhookId }: { readonly webhookId: number }) => {
  const t = useTexts('notifications.figures')
  const { data: health } = useQuery(healthQuery(webhookId))
  const { data: counts } = useQuery(deliveryCountsQuery(webhookId))
  const { data: hours } = useQuery(hoursQuery(webhookId))
  const rateOf = (good: number, all: number): string => (all === 0 ? '–' : formatRate(good, all))
  const ended = counts === undefined ? 0 : counts.delivered + counts.failed
  const { DeliveredCount = 0, FailedCount = 0 } = health?.Last48Hours ?? {}
  const attempts = DeliveredCount + FailedCount
  const last = hours?.findLast(({ LatencyP50Ms }) => LatencyP50Ms !== null)
  const waiting = health?.WaitingCount ?? 0
  return (
    <Figures label={t('label')}>
      <Figure
        label={t('deliveries')}
        value={rateOf(counts?.delivered ?? 0, ended)}
        isBad={isBad(counts?.delivered ?? 0, ended)}
      >
        {t('ofDeliveries', { good: formatNumber(counts?.delivered ?? 0), all: formatNumber(ended) })}
      </Figure>
      <Figure
        label={t('attempts')}
        value={rateOf(DeliveredCount, attempts)}
        isBad={isBad(DeliveredCount, attempts)}
      >
        {t('ofAttempts', { good: formatNumber(DeliveredCount), all: formatNumber(attempts) })}
      </Figure>
      <Figure
        label={t('latency')}
        value={last?.LatencyP50Ms == null ? '–' : formatLatency(last.LatencyP50Ms)}
      >
        {last?.LatencyP95Ms == null ? t('noAnswers') : t('p95', { value: formatLatency(last.LatencyP95Ms) })}
      </Figure>
      <Figure label={t('waiting')} value={formatNumber(waiting)}>
        {health?.OldestWaitingAt == null ? (
          t('noneWaits')
        ) : (
          <>
            {t('oldest')} <RelativeTime instant={health.OldestWaitingAt} />
          </>
        )}
      </Figure>
    </Figures>
  )
}
