import { useTexts, type Translate } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import { useAgo } from '../ui/relative-time.tsx'
import type { Health } from './webhook-queries.ts'

type Ago = ReturnType<typeof useAgo>
type Words = Translate<'notifications.trouble'>

const lastFailureOf = (t: Words, ago: Ago, { LastFailure }: Health): string[] => {
  if (LastFailure === null) return []
  const error = LastFailure.Error ?? String(LastFailure.StatusCode ?? t('noAnswer'))
  return [t('lastFailure', { ago: ago(LastFailure.At), error })]
}

/** What is wrong with an endpoint, as sentences. Empty while it works. */
const troubleOf = (t: Words, ago: Ago, health: Health): string[] => {
  const { Status, PausedUntil, HeldReason, DisabledReason, WaitingCount, FailingSince } = health
  const counts = { count: WaitingCount, shown: formatNumber(WaitingCount) }
  if (Status === 'disabled')
    return [
      ...(DisabledReason === null ? [] : [DisabledReason, ...lastFailureOf(t, ago, health)]),
      ...(WaitingCount > 0 ? [t('kept', counts)] : []),
    ]
  if (Status === 'ok') return []
  return [
    ...(HeldReason === null ? [] : [HeldReason]),
    ...(Status === 'held' ? [] : lastFailureOf(t, ago, health)),
    ...(FailingSince === null || Status === 'held' ? [] : [t('since', { ago: ago(FailingSince) })]),
    ...(PausedUntil === null ? [] : [t('paused', { ago: ago(PausedUntil) })]),
  ]
}

export const useTrouble = (): ((health: Health) => string[]) => {
  const t = useTexts('notifications.trouble')
  const ago = useAgo()
  return (health) => troubleOf(t, ago, health)
}
