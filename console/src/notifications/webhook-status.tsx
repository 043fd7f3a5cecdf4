import { Badge } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import type { DeliveryStatus, Health } from './webhook-queries.ts'

const useWords = defineWords('webhook-status', {
  en: {
    unused: 'Nothing sent yet',
    ok: 'Last request succeeded',
    failing: 'Last request failed',
    paused: 'Paused after failures',
    held: 'Waits for the identity provider',
    disabled: 'Disabled',
    pending: 'Pending',
    whilePaused: 'Waits: paused',
    whileHeld: 'Waits: identity provider',
    whileDisabled: 'Kept: disabled',
    waiting: 'Waits',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  de: {
    unused: 'Noch nichts gesendet',
    ok: 'Letzte Anfrage erfolgreich',
    failing: 'Letzte Anfrage fehlgeschlagen',
    paused: 'Pausiert nach Fehlern',
    held: 'Wartet auf den Identity-Provider',
    disabled: 'Ausgeschaltet',
    pending: 'Ausstehend',
    whilePaused: 'Wartet: pausiert',
    whileHeld: 'Wartet: Identity-Provider',
    whileDisabled: 'Behalten: ausgeschaltet',
    waiting: 'Wartet',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
})

export const healthColors = {
  ok: 'green',
  failing: 'orange',
  paused: 'orange',
  held: 'orange',
  disabled: 'gray',
} as const

export const HealthBadge = ({ health }: { readonly health: Health }) => {
  const t = useWords()
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

export const useDeliveryWords = (): ((status: DeliveryStatus) => string) => useWords()

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
  const t = useWords()
  const holdWord = holdWordOf(status, health)
  return (
    <Badge variant="dot" color={deliveryColors[holdWord === undefined ? status : 'waiting']} tt="none">
      {t(holdWord ?? status)}
    </Badge>
  )
}
