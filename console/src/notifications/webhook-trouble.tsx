import { useTexts, type Translate } from '../shell/texts.ts'
import { formatAgo, formatNumber } from '../ui/format.ts'
import { useTickedMs } from '../ui/relative-time.tsx'
import type { Health } from './webhook-queries.ts'

const lastFailureOf = (t: Translate<'notifications.trouble'>, { LastFailure }: Health): string[] => {
  if (LastFailure === null) return []
  const error = LastFailure.Error ?? String(LastFailure.StatusCode ?? t('noAnswer'))
  return [t('lastFailure', { ago: formatAgo(LastFailure.At), error })]
}

/** What is wrong with an endpoint, as sentences. Empty while it works. */
const troubleOf = (t: Translate<'notifications.trouble'>, health: Health): string[] => {
  const { Status, PausedUntil, HeldReason, DisabledReason, WaitingCount, FailingSince } = health
  const counts = { count: WaitingCount, shown: formatNumber(WaitingCount) }
  if (Status === 'disabled')
    return [
      ...(DisabledReason === null ? [] : [DisabledReason, ...lastFailureOf(t, health)]),
      ...(WaitingCount > 0 ? [t('kept', counts)] : []),
    ]
  if (Status === 'ok') return []
  return [
    ...(HeldReason === null ? [] : [HeldReason]),
    ...(Status === 'held' ? [] : lastFailureOf(t, health)),
    ...(FailingSince === null || Status === 'held' ? [] : [t('since', { ago: formatAgo(FailingSince) })]),
    ...(PausedUntil === null ? [] : [t('paused', { ago: formatAgo(PausedUntil) })]),
  ]
}

export const useTrouble = (): ((health: Health) => string[]) => {
  const t = useTexts('notifications.trouble')
  // Keeps the times in the sentences current while the health stays the same.
  useTickedMs()
  return (health) => troubleOf(t, health)
}
