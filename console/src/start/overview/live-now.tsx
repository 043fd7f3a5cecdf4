import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../shell/texts.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useLiveStreams } from './overview-queries.ts'

export const LiveNow = () => {
  const t = useTexts('start.overview')
  const streams = useLiveStreams()
  return (
    <Section title={t('liveNow')}>
      {streams.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nobodyLive')}
        </Text>
      )}
      <ul className="overview-list">
        {streams.map(({ project: { Id, Name }, status }) => (
          <li key={Id}>
            <div className="overview-grow">
              <Anchor
                size="sm"
                fw={550}
                c="var(--text)"
                truncate
                display="block"
                renderRoot={(props) => (
                  <Link {...props} to="/projects/$projectId/live" params={{ projectId: Id }} />
                )}
              >
                {Name}
              </Anchor>
              {status !== null && (
                <Text size="xs" c="dimmed">
                  {t('viewers', { count: status.Viewers })}
                  {status.OnlineSince !== null && ' · '}
                  {status.OnlineSince !== null && <RelativeTime instant={status.OnlineSince} />}
                </Text>
              )}
            </div>
            <StatusBadge tone="live">{t('onAir')}</StatusBadge>
          </li>
        ))}
      </ul>
    </Section>
  )
}
