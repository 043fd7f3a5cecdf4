import { messageText } from '../shell/reason-text.ts'
import { useTexts, type Translate } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import { useAgo } from '../ui/relative-time.tsx'
import type { Health } from './webhook-queries.ts'

type Ago = ReturnType<typeof useAgo>
type Words = Translate<'notifications.trouble'>

/** Why the last failed request failed, in the language of the user. Null if none failed. */
export const failureText = ({ LastFailure }: Health): string | null => {
  if (LastFailure === null) return null
  const { Error: error, Reason, Params, StatusCode } = LastFailure
  return error === null
    ? StatusCode === null
      ? null
      : String(StatusCode)
    : messageText(error, Reason, Params)
}

const lastFailureOf = (t: Words, ago: Ago, health: Health): string[] =>
  health.LastFailure === null
    ? []
    : [
        t('lastFailure', {
          ago: ago(health.LastFailure.At),
          error: failureText(health) ?? t('noAnswer'),
        }),
      ]

/** Why Zoetrope disabled the endpoint. Empty if a user did. */
const disabledText = (t: Words, ago: Ago, health: Health): string[] => {
  if (health.DisabledReason === null) return []
  return health.LastFailure?.StatusCode === 410
    ? [t('goneDisabled')]
    : [t('givenUp'), ...lastFailureOf(t, ago, health)]
}

/** What is wrong with an endpoint, as sentences. Empty while it works. */
const troubleOf = (t: Words, ago: Ago, health: Health): string[] => {
  const { Status, PausedUntil, WaitingCount, FailingSince } = health
  const counts = { count: WaitingCount, shown: formatNumber(WaitingCount) }
  if (Status === 'disabled')
    return [...disabledText(t, ago, health), ...(WaitingCount > 0 ? [t('kept', counts)] : [])]
  if (Status === 'ok') return []
  return [
    ...(Status === 'held' ? [t('held')] : lastFailureOf(t, ago, health)),
    ...(FailingSince === null || Status === 'held' ? [] : [t('since', { ago: ago(FailingSince) })]),
    ...(PausedUntil === null ? [] : [t('paused', { ago: ago(PausedUntil) })]),
  ]
}

export const useTrouble = (): ((health: Health) => string[]) => {
  const t = useTexts('notifications.trouble')
  const ago = useAgo()
  return (health) => troubleOf(t, ago, health)
}
