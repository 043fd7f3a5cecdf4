import { Badge } from '@mantine/core'
import { defineWords } from '../shell/words.ts'
import type { DeliveryStatus } from './webhook-queries.ts'

const useWords = defineWords('webhook-status', {
  en: {
    ok: 'Answers well',
    failing: 'Last request failed',
    paused: 'Paused after failures',
    held: 'Waits for the identity provider',
    disabled: 'Disabled',
    pending: 'About to be sent',
    waiting: 'Waits',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  de: {
    ok: 'Antwortet gut',
    failing: 'Letzte Anfrage schlug fehl',
    paused: 'Pausiert nach Fehlern',
    held: 'Wartet auf den Identity-Provider',
    disabled: 'Ausgeschaltet',
    pending: 'Wird gleich gesendet',
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

export const HealthBadge = ({ status }: { readonly status: keyof typeof healthColors }) => {
  const t = useWords()
  return (
    <Badge variant="dot" color={healthColors[status]} tt="none">
      {t(status)}
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

export const DeliveryBadge = ({ status }: { readonly status: DeliveryStatus }) => {
  const t = useWords()
  return (
    <Badge variant="dot" color={deliveryColors[status]} tt="none">
      {t(status)}
    </Badge>
  )
}
