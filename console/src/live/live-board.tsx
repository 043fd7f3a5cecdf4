import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { realtimeQuery } from '../analytics/analytics-queries.ts'
import { formatShare } from '../analytics/metrics.ts'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatDuration, formatNumber, formatTime } from '../ui/format.ts'
import { secondsSince } from './elapsed.ts'
import './live.css'
import type { LiveIngest, LiveStatus } from './live-queries.ts'
import { useNow } from './use-now.ts'

const Tile = ({
  label,
  value,
  tone,
  note,
}: {
  readonly label: string
  readonly value: ReactNode
  readonly tone?: 'live' | 'recording' | 'warning' | undefined
  readonly note?: ReactNode
}) => (
  <div className="live-tile" data-tone={tone}>
    <dt>{label}</dt>
    <dd>
      <span className="live-value">
        {(tone === 'live' || tone === 'recording') && <span className="live-dot" aria-hidden />}
        {value}
      </span>
      {note != null && <span className="live-note">{note}</span>}
    </dd>
  </div>
)

/** The state of the broadcast, large enough to read from a distance. */
export const LiveBoard = ({
  status,
  ingest,
}: {
  readonly status: LiveStatus
  readonly ingest: LiveIngest
}) => {
  const t = useTexts('live.board')
  const { State, Viewers } = status
  return (
    <dl className="live-board" data-state={State} data-recording={status.Recording?.State ?? 'off'}>
      <StateTile status={status} ingest={ingest} />
      <RecordingTile status={status} ingest={ingest} />
      <Tile label={t('viewers')} value={formatNumber(Viewers)} note={t('withoutPreview')} />
      <QualityTile projectId={ingest.ProjectId} />
    </dl>
  )
}

const qualityMinutes = 5

/** Rebuffering of the players of the project in the last minutes. Hidden while analytics is off. */
const QualityTile = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.board')
  const { data } = useQuery(realtimeQuery({ projectId: String(projectId) }))
  if (data?.IsCollecting === false) return null
  const minutes = data?.Minutes.slice(-qualityMinutes) ?? []
  const sumOf = (name: 'WatchSeconds' | 'RebufferSeconds'): number =>
    minutes.reduce((sum, minute) => sum + minute[name], 0)
  const [watched, waited] = [sumOf('WatchSeconds'), sumOf('RebufferSeconds')]
  return (
    <Tile
      label={t('rebuffering')}
      value={watched + waited === 0 ? '–' : formatShare(waited / (watched + waited))}
      note={t('rebufferingNote', { count: qualityMinutes })}
    />
  )
}

interface TileProps {
  readonly status: LiveStatus
  readonly ingest: LiveIngest
}

const StateTile = ({ status, ingest }: TileProps) => {
  const t = useTexts('live.board')
  const now = useNow()
  const { State, OnlineSince } = status
  const note = (): string => {
    if (State === 'online' && OnlineSince !== null) return t('since', { time: formatTime(OnlineSince) })
    if (State === 'reconnecting') return t('reconnectingExplained', { seconds: ingest.ReconnectWindow })
    return t(State === 'connected' ? 'connectedExplained' : 'offlineExplained')
  }
  return (
    <Tile
      label={t('state')}
      tone={State === 'online' ? 'live' : State === 'offline' ? undefined : 'warning'}
      value={
        <>
          <Text span inherit role="status">
            {t(State)}
          </Text>
          {State === 'online' && OnlineSince !== null && (
            <Text span inherit>
              {formatDuration(secondsSince(OnlineSince, now))}
            </Text>
          )}
        </>
      }
      note={note()}
    />
  )
}

/** The server does not report the recorded time, which is shorter than the time since the start after an interruption. */
const RecordingTile = ({ status, ingest }: TileProps) => {
  const t = useTexts('live.board')
  const { Recording: recording } = status
  const label = t('recording')
  if (recording === null)
    return (
      <Tile
        label={label}
        value={t('notRecording')}
        note={
          ingest.AutoRecording ? t(status.State === 'offline' ? 'automatic' : 'automaticNext') : undefined
        }
      />
    )
  const size = formatBytes(recording.Bytes)
  if (recording.State === 'finishing') return <Tile label={label} value={t('finishing')} note={size} />
  return (
    <Tile
      label={label}
      tone="recording"
      value={t('rec')}
      note={`${t('since', { time: formatTime(recording.Since) })} · ${size}`}
    />
  )
}
