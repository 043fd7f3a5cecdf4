import { Alert, Group, Paper, Stack, Text } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatDuration, formatTime } from '../ui/format.ts'
import './live.css'
import type { LiveIngest, LiveStatus } from './live-queries.ts'
import { useNow } from './use-now.ts'

const secondsSince = (instant: string, now: number): number =>
  Math.max(0, (now - new Date(instant).getTime()) / 1_000)

/** Large enough to read from a distance. */
export const LiveState = ({
  status,
  ingest,
}: {
  readonly status: LiveStatus
  readonly ingest: LiveIngest
}) => {
  const t = useTexts('live.screen')
  return (
    <>
      <Paper withBorder p="md" className="live-state" data-state={status.State}>
        <Group justify="space-between">
          <Group gap="sm" wrap="nowrap" fz={{ base: 26, sm: 34 }}>
            <span className="live-dot" aria-hidden />
            <Text component="p" role="status" inherit fw={700} m={0} lh={1.2}>
              {t(status.State)}
            </Text>
          </Group>
          <Stack gap={2}>
            <StateLine status={status} ingest={ingest} />
            {status.Recording !== null && <RecordingLine recording={status.Recording} />}
          </Stack>
        </Group>
      </Paper>
      {!ingest.IsEnabled && (
        <Alert color="red" variant="outline">
          {t('disabled')}
        </Alert>
      )}
      {ingest.ReleaseStatus !== 'published' && <Alert variant="outline">{t('notPublished')}</Alert>}
    </>
  )
}

const StateLine = ({ status, ingest }: { readonly status: LiveStatus; readonly ingest: LiveIngest }) => {
  const t = useTexts('live.screen')
  const now = useNow()
  const { State, OnlineSince, Viewers } = status
  if (State === 'online' && OnlineSince !== null) {
    const duration = formatDuration(secondsSince(OnlineSince, now))
    const words = [
      t('onlineSince', { time: formatTime(OnlineSince), duration }),
      t('viewers', { count: Viewers }),
    ]
    return <Text size="sm">{words.join(' · ')}</Text>
  }
  if (State === 'reconnecting')
    return <Text size="sm">{t('reconnectingExplained', { seconds: ingest.ReconnectWindow })}</Text>
  return <Text size="sm">{t(State === 'connected' ? 'connectedExplained' : 'offlineExplained')}</Text>
}

const RecordingLine = ({
  recording: { State, Since, Bytes },
}: {
  readonly recording: NonNullable<LiveStatus['Recording']>
}) => {
  const t = useTexts('live.screen')
  const now = useNow()
  return (
    <Text size="sm" fw={600}>
      {State === 'finishing'
        ? t('finishing')
        : t('recording', { duration: formatDuration(secondsSince(Since, now)), size: formatBytes(Bytes) })}
    </Text>
  )
}
