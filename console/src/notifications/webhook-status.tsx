import { useTexts } from '../shell/texts.ts'
import { StatusBadge, type Tone } from '../ui/status-badge.tsx'
import type { DeliveryStatus, Health } from './webhook-queries.ts'

const healthTones = {
  ok: 'ok',
  failing: 'danger',
  paused: 'danger',
  held: 'warning',
  disabled: 'neutral',
} as const satisfies Record<Health['Status'], Tone>

export const HealthBadge = ({ health }: { readonly health: Health }) => {
  const t = useTexts('notifications.webhookStatus')
  const { Status, LastSuccessAt, LastFailure, DisabledReason } = health
  if (Status === 'ok' && LastSuccessAt === null && LastFailure === null)
    return <StatusBadge tone="neutral">{t('unused')}</StatusBadge>
  if (DisabledReason !== null) return <StatusBadge tone="danger">{t('givenUp')}</StatusBadge>
  return <StatusBadge tone={healthTones[Status]}>{t(Status)}</StatusBadge>
}

const deliveryTones = {
  pending: 'neutral',
  waiting: 'warning',
  delivered: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
} as const satisfies Record<DeliveryStatus, Tone>

export const useDeliveryWords = (): ((status: DeliveryStatus) => string) =>
  useTexts('notifications.webhookStatus')

/** Why nothing is sent at the moment. Undefined while deliveries are sent. */
const holdWords = { paused: 'whilePaused', held: 'whileHeld', disabled: 'whileDisabled' } as const

const holdWordOf = (status: DeliveryStatus, health: Health['Status'] | undefined) => {
  if (health === undefined || !(health in holdWords)) return undefined
  const isDue = status === 'pending' || (status === 'waiting' && health === 'disabled')
  return isDue ? holdWords[health as keyof typeof holdWords] : undefined
}

export const DeliveryBadge = ({
  status,
  health,
}: {
  readonly status: DeliveryStatus
  readonly health: Health['Status'] | undefined
}) => {
  const t = useTexts('notifications.webhookStatus')
  const holdWord = holdWordOf(status, health)
  return (
    <StatusBadge tone={holdWord === undefined ? deliveryTones[status] : 'warning'}>
      {t(holdWord ?? status)}
    </StatusBadge>
  )
}
