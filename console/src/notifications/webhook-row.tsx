import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { AttemptSparkline } from './attempt-sparkline.tsx'
import { formatRate } from './success-rate.ts'
import { inspectorTarget, unsuccessful, type Health, type ListedWebhook } from './webhook-queries.ts'
import { HealthBadge } from './webhook-status.tsx'
import { useTrouble } from './webhook-trouble.tsx'

const Attempts = ({ health }: { readonly health: Health }) => {
  const t = useTexts('notifications.screen')
  const { DeliveredCount, FailedCount } = health.Last48Hours
  const all = DeliveredCount + FailedCount
  return (
    <>
      <AttemptSparkline attempts={health.Last48Hours} />
      <div className="webhook-rate">
        <Text fw={600} c={FailedCount > 0 && DeliveredCount === 0 ? 'var(--tone-danger)' : ''}>
          {all === 0 ? '–' : formatRate(DeliveredCount, all)}
        </Text>
        <Text size="xs" c="dimmed">
          {all === 0 ? t('noAttempts') : t('attempts', { count: all, shown: formatNumber(all) })}
        </Text>
      </div>
    </>
  )
}

export const WebhookRow = ({
  webhook,
  projectName,
}: {
  readonly webhook: ListedWebhook
  readonly projectName: string
}) => {
  const t = useTexts('notifications.screen')
  const troubles = useTrouble()
  const { Id, Label, TargetURL, EventTypes, Health: health } = webhook
  const trouble = health === undefined ? [] : troubles(health)
  return (
    <li className="webhook-row">
      <div className="webhook-what">
        <div className="webhook-name">
          <Anchor
            fw={600}
            c="var(--text)"
            className="webhook-link"
            renderRoot={(props) => (
              <Link {...props} to="/notifications/$webhookId" params={{ webhookId: Id }} />
            )}
          >
            {Label || t('unnamed', { id: Id })}
          </Anchor>
          {health !== undefined && <HealthBadge health={health} />}
        </div>
        <Text size="sm" className="webhook-url" title={TargetURL}>
          {TargetURL === inspectorTarget ? t('inspector') : TargetURL}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {`${EventTypes.includes('*') ? t('allEvents') : EventTypes.join(', ')} · ${projectName}`}
        </Text>
      </div>
      {health !== undefined && <Attempts health={health} />}
      <div className="webhook-last">
        <Text size="sm" component="div">
          {health?.LastSuccessAt == null ? '–' : <RelativeTime instant={health.LastSuccessAt} />}
        </Text>
        {health !== undefined && health.WaitingCount > 0 ? (
          <Text size="xs" c="dimmed">
            {t('waiting', { count: health.WaitingCount, shown: formatNumber(health.WaitingCount) })}
          </Text>
        ) : (
          <Text size="xs" c="dimmed" hiddenFrom="md">
            {t('lastSuccess')}
          </Text>
        )}
      </div>
      {trouble.length > 0 && (
        <div className="webhook-trouble">
          <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
            {trouble.join(' ')}
          </Text>{' '}
          {(health?.LastFailure ?? null) !== null && (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/notifications/$webhookId"
                  params={{ webhookId: Id }}
                  search={{ status: unsuccessful }}
                />
              )}
            >
              {t('why')}
            </Anchor>
          )}
        </div>
      )}
    </li>
  )
}
