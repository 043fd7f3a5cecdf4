import { Badge } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import type { DeliveryStatus, Health } from './webhook-queries.ts'

export const healthColors = {
  ok: 'green',
  failing: 'orange',
  paused: 'orange',
  held: 'orange',
  disabled: 'gray',
} as const

export const HealthBadge = ({ health }: { readonly health: Health }) => {
  const t = useTexts('notifications.webhookStatus')
  const { Status, LastSuccessAt, LastFailure } = health
  const isUnused = Status === 'ok' && LastSuccessAt === null && LastFailure === null
  return (
    <Badge variant="dot" color={isUnused ? 'gray' : healthColors[Status]} tt="none">
      {isUnused ? t('unused') : t(Status)}
    </Badge>
  )
}

export const deliveryColors: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'blue',
  waiting: 'orange',
  delivered: 'green',
  failed: 'red',
  cancelled: 'gray',
}

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
    <Badge variant="dot" color={deliveryColors[holdWord === undefined ? status : 'waiting']} tt="none">
      {t(holdWord ?? status)}
    </Badge>
  )
}
